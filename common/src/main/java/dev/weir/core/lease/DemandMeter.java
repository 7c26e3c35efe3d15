package dev.weir.core.lease;

import dev.weir.core.math.MulDiv;
import dev.weir.core.math.Nanos;

/**
 * An agent's estimate of what is asked for in one bucket (section 3 of the design): it rises at
 * once, and falls slowly unless others are refused or the fall is plain. Not thread-safe.
 */
final class DemandMeter {
  /** Below this a measurement says nothing. */
  private static final long SHORTEST_NANOS = 15 * Nanos.MILLISECOND_NANOS;

  /** A rise of few tokens is believed when it has lasted so long. */
  private static final long RISE_NANOS = 90 * Nanos.MILLISECOND_NANOS;

  /** A fall is believed when so many tokens would have been asked for had there been none. */
  private static final long TELLING_MICROS = 10_000_000;

  /** So many tokens less in one interval are a fall, not noise. */
  private static final long PLAIN_MICROS = 40_000_000;

  /** Over such a time demand is averaged where nothing presses. */
  private static final long AVERAGED_NANOS = Nanos.SECOND_NANOS;

  private long askedMicros;
  private long atNanos;
  private long estimateMicros;
  private long lastRateMicros;
  private boolean fell;
  private boolean fresh = true;

  DemandMeter(long askedMicros, long nowNanos) {
    this.askedMicros = askedMicros;
    this.atNanos = nowNanos;
  }

  /**
   * Takes a reading.
   *
   * @param totalMicros running total asked for
   * @param contended whether others want more than they have
   * @param calm whether there is enough in the bucket for a while
   * @return micro-tokens per second
   */
  long read(long totalMicros, long nowNanos, boolean contended, boolean calm) {
    long elapsed = nowNanos - atNanos;
    fell = false;
    if (elapsed < SHORTEST_NANOS) {
      return estimateMicros;
    }
    long asked = Math.max(0, totalMicros - askedMicros);
    long rate = MulDiv.down(asked, Nanos.SECOND_NANOS, elapsed);
    if (rate >= estimateMicros && asked < TELLING_MICROS && elapsed < RISE_NANOS) {
      // A few requests in a moment are not yet a rate.
      return estimateMicros;
    }
    askedMicros = totalMicros;
    atNanos = nowNanos;
    fresh = false;
    // One quiet interval between busy ones is a fall only where others wait and it says enough.
    long expected = MulDiv.down(estimateMicros, elapsed, Nanos.SECOND_NANOS);
    long lately = contended && expected >= PLAIN_MICROS ? rate : Math.max(rate, lastRateMicros);
    lastRateMicros = rate;
    boolean plain = expected >= TELLING_MICROS && lately < estimateMicros / 2;
    if (plain) {
      fell = true;
      estimateMicros = lately;
    } else if (contended && calm) {
      // The bucket bears the noise: what is claimed beyond the mean would only be missing
      // elsewhere.
      estimateMicros = towards(rate, Math.min(elapsed, AVERAGED_NANOS));
    } else if (lately >= estimateMicros) {
      estimateMicros = lately;
    } else {
      long lost =
          Math.max(
              MulDiv.down(
                  estimateMicros, Math.min(elapsed, Nanos.SECOND_NANOS), Nanos.SECOND_NANOS),
              elapsed / 1_000);
      estimateMicros = Math.max(lately, estimateMicros - lost);
    }
    return estimateMicros;
  }

  private long towards(long rateMicros, long elapsedNanos) {
    long way = MulDiv.down(Math.abs(rateMicros - estimateMicros), elapsedNanos, AVERAGED_NANOS);
    return rateMicros < estimateMicros ? estimateMicros - way : estimateMicros + way;
  }

  /** Whether nothing has been measured yet. */
  boolean isFresh() {
    return fresh;
  }

  /** The last estimate, micro-tokens per second. */
  long micros() {
    return estimateMicros;
  }

  /** Whether the last reading showed a plain fall. */
  boolean fell() {
    return fell;
  }
}
