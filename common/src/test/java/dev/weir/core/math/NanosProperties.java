package dev.weir.core.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NanosProperties {
  @Seeds
  void theOrderOfInstantsHoldsWhereTheClockWraps(Random random) {
    ManualTicker ticker = ManualTicker.startingAnywhere(random);
    long firstNanos = ticker.nanos();
    long lengthNanos = 1 + (random.nextLong() >>> (1 + random.nextInt(62)));
    long secondNanos = ticker.advance(lengthNanos);

    assertThat(Nanos.isBefore(firstNanos, secondNanos)).isTrue();
    assertThat(Nanos.isBefore(secondNanos, firstNanos)).isFalse();
    assertThat(Nanos.isBefore(firstNanos, firstNanos)).isFalse();
    assertThat(Nanos.hasReached(secondNanos, firstNanos)).isTrue();
    assertThat(Nanos.hasReached(firstNanos, firstNanos)).isTrue();
    assertThat(Nanos.hasReached(firstNanos, secondNanos)).isFalse();
    assertThat(Nanos.earlier(firstNanos, secondNanos)).isEqualTo(firstNanos);
    assertThat(Nanos.earlier(secondNanos, firstNanos)).isEqualTo(firstNanos);
    assertThat(Nanos.later(firstNanos, secondNanos)).isEqualTo(secondNanos);
    assertThat(Nanos.later(secondNanos, firstNanos)).isEqualTo(secondNanos);
    assertThat(Nanos.elapsed(firstNanos, secondNanos)).isEqualTo(lengthNanos);
  }

  @Test
  void timeGoingBackwardsElapsesNothing() {
    assertThat(Nanos.elapsed(10, 3)).isZero();
    assertThat(Nanos.elapsed(Long.MIN_VALUE, Long.MAX_VALUE)).isZero();
  }

  @Test
  void lengthsSaturate() {
    assertThat(Nanos.plus(Nanos.SECOND_NANOS, Nanos.MILLISECOND_NANOS)).isEqualTo(1_001_000_000);
    assertThat(Nanos.plus(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(Nanos.plus(Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Nanos.times(Nanos.SECOND_NANOS, 60)).isEqualTo(60_000_000_000L);
    assertThat(Nanos.times(Nanos.SECOND_NANOS, Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Nanos.times(0, Long.MAX_VALUE)).isZero();
    assertThat(Nanos.ofMillis(250)).isEqualTo(250 * Nanos.MILLISECOND_NANOS);
    assertThat(Nanos.ofSeconds(250)).isEqualTo(250_000 * Nanos.MILLISECOND_NANOS);
    assertThat(Nanos.ofSeconds(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aNegativeLengthIsRefused() {
    assertThatThrownBy(() -> Nanos.plus(-1, 1)).hasMessage("length must not be negative: -1");
    assertThatThrownBy(() -> Nanos.plus(1, -1)).hasMessage("length must not be negative: -1");
    assertThatThrownBy(() -> Nanos.times(-1, 1)).isInstanceOf(IllegalArgumentException.class);
  }
}
