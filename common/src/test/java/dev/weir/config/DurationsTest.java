package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DurationsTest {
  @Test
  void aLengthOfTimeIsANumberAndAUnit() {
    assertThat(Durations.nanos("250ms")).isEqualTo(250_000_000);
    assertThat(Durations.nanos("1d")).isEqualTo(86_400_000_000_000L);
    assertThat(Durations.nanos("0s")).isZero();
  }

  @Test
  void whatIsNoneIsQuotedWithTheWayToWriteIt() {
    assertThatThrownBy(() -> Durations.nanos("10"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"10\" needs a unit, as in 250ms, 10s, 1m, 1h or 1d");
    assertThatThrownBy(() -> Durations.nanos("soon")).hasMessageStartingWith("\"soon\" is not");
  }
}
