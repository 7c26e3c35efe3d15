package dev.weir.core.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CheckTest {
  @Test
  void aValueInItsRangeIsReturned() {
    assertThat(Check.inRange("level", 0L, 0, 100)).isZero();
    assertThat(Check.inRange("level", 100L, 0, 100)).isEqualTo(100);
    assertThat(Check.inRange("weight", 1, 1, 1)).isOne();
    assertThat(Check.notNegative("cost", 0)).isZero();
    assertThat(Check.positive("per", 1)).isOne();
  }

  @Test
  void aValueOutsideIsNamedWithItsRange() {
    assertThatThrownBy(() -> Check.inRange("level", 107L, 0, 100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("level must be in [0, 100]: 107");
    assertThatThrownBy(() -> Check.inRange("level", -1L, 0, 100))
        .hasMessage("level must be in [0, 100]: -1");
    assertThatThrownBy(() -> Check.inRange("weight", 0, 1, 100))
        .hasMessage("weight must be in [1, 100]: 0");
    assertThatThrownBy(() -> Check.notNegative("cost", -1))
        .hasMessage("cost must not be negative: -1");
    assertThatThrownBy(() -> Check.positive("per", 0)).hasMessage("per must be positive: 0");
  }
}
