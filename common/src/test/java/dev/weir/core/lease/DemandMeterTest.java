package dev.weir.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.math.Nanos;
import dev.weir.core.quota.Tokens;
import org.junit.jupiter.api.Test;

/** When an agent believes that a load has left, and when not. */
class DemandMeterTest {
  private static final long TICK_NANOS = 100 * Nanos.MILLISECOND_NANOS;
  private static final long ONE = Tokens.MICROS_PER_TOKEN;
  private static final long RATE = 1_500;
  private static final long MOST_MICROS = 1_000 * ONE;

  private final DemandMeter meter = new DemandMeter(0, 0);
  private long nowNanos;
  private double asked;

  /** Lets time pass with so many requests a second; looks on the way, reads at the end. */
  private boolean ask(double perSecond, long nanos, boolean contended) {
    boolean seen = false;
    long endNanos = nowNanos + nanos;
    while (nowNanos < endNanos) {
      long step = Math.min(Edge.LOOK_NANOS, endNanos - nowNanos);
      nowNanos += step;
      asked += perSecond * step / Nanos.SECOND_NANOS;
      seen |= meter.look(totalMicros(), nowNanos);
    }
    meter.read(totalMicros(), MOST_MICROS, nowNanos, contended, false);
    return seen;
  }

  private long totalMicros() {
    return ((long) asked) * ONE;
  }

  private void busy(long nanos) {
    for (long at = 0; at < nanos; at += TICK_NANOS) {
      assertThat(ask(RATE, TICK_NANOS, false)).isFalse();
    }
  }

  /** What goes on for a while is no lump. */
  private void steady(double perSecond, boolean contended) {
    for (int tick = 0; tick < 7; tick++) {
      ask(perSecond, TICK_NANOS, contended);
    }
  }

  @Test
  void aRiseIsBelievedAtOnce() {
    busy(TICK_NANOS);
    assertThat(meter.micros()).isBetween((RATE - 20) * ONE, (RATE + 20) * ONE);
    assertThat(meter.isWorthWatching()).isTrue();
  }

  @Test
  void aBusyLoadThatLeavesIsSeenAtTheNextLook() {
    busy(10 * TICK_NANOS);
    assertThat(ask(0, Edge.LOOK_NANOS, false)).isTrue();
    assertThat(meter.fell()).isTrue();
    assertThat(meter.micros()).isZero();
  }

  /** Its first part was still busy: what is left of the estimate goes with the next look. */
  @Test
  void aLookThatSawTheLastOfTheLoadIsFollowedByOneThatSeesNone() {
    busy(10 * TICK_NANOS);
    assertThat(ask(RATE / 5.0, Edge.LOOK_NANOS, false)).isTrue();
    assertThat(meter.micros()).isPositive();
    assertThat(ask(0, Edge.LOOK_NANOS, false)).isTrue();
    assertThat(meter.micros()).isZero();
  }

  @Test
  void halfALoadHasNotLeft() {
    busy(10 * TICK_NANOS);
    assertThat(ask(RATE / 2.0, 2 * Edge.LOOK_NANOS, false)).isFalse();
  }

  @Test
  void afterAWrongLookNoneIsBelievedForAWhileAndThenAgain() {
    busy(10 * TICK_NANOS);
    assertThat(ask(0, Edge.LOOK_NANOS, false)).isTrue();
    ask(RATE, 2 * TICK_NANOS, false);
    assertThat(ask(0, Edge.LOOK_NANOS, false)).isFalse();
    busy(31 * Nanos.SECOND_NANOS);
    assertThat(ask(0, Edge.LOOK_NANOS, false)).isTrue();
  }

  /** Longer after each wrong look that follows a wrong one. */
  @Test
  void aLoadThatComesAndGoesIsSoonLeftAlone() {
    busy(10 * TICK_NANOS);
    int seen = 0;
    for (int i = 0; i < 600; i++) {
      seen += ask(0, Edge.LOOK_NANOS, false) ? 1 : 0;
      ask(RATE, 3 * Edge.LOOK_NANOS, false);
    }
    assertThat(seen).isBetween(1, 2);
  }

  @Test
  void whatIsNotBusyIsNotWatched() {
    ask(700, TICK_NANOS, false);
    assertThat(meter.isWorthWatching()).isFalse();
    assertThat(ask(0, 2 * Edge.LOOK_NANOS, false)).isFalse();
  }

  /** Twenty requests at once, and for a while none: the next twenty are expected. */
  @Test
  void aLoadThatComesInLumpsHasNotLeftBetweenThem() {
    for (int lump = 0; lump < 5; lump++) {
      ask(2_000, TICK_NANOS, false);
      for (int tick = 0; tick < 9; tick++) {
        assertThat(ask(0, TICK_NANOS, false)).isFalse();
        assertThat(meter.fell()).isFalse();
        assertThat(meter.micros()).isPositive();
      }
    }
  }

  /**
   * Where others want more it claims no more than it asks for on average, not its spike for long.
   */
  @Test
  void whatALumpClaimsFromOthersIsSoonItsMean() {
    ask(1_000_000, TICK_NANOS, true);
    for (int tick = 0; tick < 20; tick++) {
      ask(0, TICK_NANOS, true);
    }
    assertThat(meter.micros()).isLessThan(MOST_MICROS / 5);
  }

  @Test
  void noLumpIsExpectedForEver() {
    ask(2_000, TICK_NANOS, false);
    for (int tick = 0; tick < 200; tick++) {
      ask(0, TICK_NANOS, false);
    }
    assertThat(meter.micros()).isZero();
  }

  /** One quiet interval between busy ones is no fall where nobody waits. */
  @Test
  void whereNobodyWaitsAFallTakesTwoReadings() {
    steady(700, false);
    ask(0, TICK_NANOS, false);
    assertThat(meter.fell()).isFalse();
    ask(0, TICK_NANOS, false);
    assertThat(meter.fell()).isTrue();
  }

  /** Seventy tokens are one or two requests: that none comes for an interval says nothing. */
  @Test
  void aGapBetweenLargeRequestsIsNoFall() {
    meter.cost(50 * ONE);
    ask(700, TICK_NANOS, true);
    ask(0, TICK_NANOS, true);
    assertThat(meter.fell()).isFalse();
    assertThat(meter.micros()).isGreaterThan(500 * ONE);
    assertThat(meter.isWorthWatching()).isFalse();
  }

  @Test
  void fallsAreSeenAgainWhenRequestsAreSmallAgain() {
    meter.cost(50 * ONE);
    for (int i = 0; i < 200; i++) {
      meter.cost(ONE);
    }
    steady(700, true);
    ask(0, TICK_NANOS, true);
    assertThat(meter.fell()).isTrue();
  }

  @Test
  void whereOthersWaitAFallTakesOne() {
    steady(700, true);
    ask(0, TICK_NANOS, true);
    assertThat(meter.fell()).isTrue();
  }
}
