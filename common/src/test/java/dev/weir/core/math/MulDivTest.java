package dev.weir.core.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MulDivTest {
  @Test
  void theLeftoverOfADivisionIsKept() {
    assertThat(MulDiv.floor(10, 7, 2, 9)).isEqualTo(new MulDiv(8, 0));
    assertThat(MulDiv.floor(10, 7, 0, 9)).isEqualTo(new MulDiv(7, 7));
  }

  @Test
  void roundsDownOrUpAsAsked() {
    assertThat(MulDiv.down(10, 7, 9)).isEqualTo(7);
    assertThat(MulDiv.up(10, 7, 9)).isEqualTo(8);
    assertThat(MulDiv.up(9, 7, 9)).isEqualTo(7);
    assertThat(MulDiv.ceilDiv(7, 2)).isEqualTo(4);
    assertThat(MulDiv.ceilDiv(8, 2)).isEqualTo(4);
    assertThat(MulDiv.ceilDiv(0, 2)).isZero();
  }

  @Test
  void aProductBeyondSixtyFourBitsIsExact() {
    assertThat(MulDiv.floor(Long.MAX_VALUE, Long.MAX_VALUE, 0, Long.MAX_VALUE))
        .isEqualTo(new MulDiv(Long.MAX_VALUE, 0));
    assertThat(MulDiv.floor(Long.MAX_VALUE, 3_000_000_007L, 11, 3_000_000_019L))
        .isEqualTo(new MulDiv(9223371999961287893L, 718960693L));
  }

  @Test
  void aQuotientBeyondALongSaturates() {
    assertThat(MulDiv.floor(Long.MAX_VALUE, 2, 0, 1)).isEqualTo(new MulDiv(Long.MAX_VALUE, 0));
    assertThat(MulDiv.down(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 1))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(MulDiv.up(Long.MAX_VALUE, 3, 1, 3)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aNegativeArgumentIsNamed() {
    assertThatThrownBy(() -> MulDiv.floor(-1, 1, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a must not be negative: -1");
    assertThatThrownBy(() -> MulDiv.down(1, -2, 1)).hasMessage("b must not be negative: -2");
    assertThatThrownBy(() -> MulDiv.up(1, 1, -3, 1)).hasMessage("carry must not be negative: -3");
    assertThatThrownBy(() -> MulDiv.down(1, 1, 0)).hasMessage("c must be positive: 0");
    assertThatThrownBy(() -> MulDiv.ceilDiv(-1, 1)).hasMessage("a must not be negative: -1");
    assertThatThrownBy(() -> MulDiv.ceilDiv(1, 0)).hasMessage("b must be positive: 0");
  }
}
