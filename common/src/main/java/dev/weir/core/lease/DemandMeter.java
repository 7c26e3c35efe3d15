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
   * @return micro-tokens per second
   */
  long read(long totalMicros, long nowNanos, boolean contended) {
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
    // Unless others wait, one quiet interval between busy ones is not yet a fall.
    long lately = contended ? rate : Math.max(rate, lastRateMicros);
    lastRateMicros = rate;
    if (lately >= estimateMicros) {
      estimateMicros = lately;
      return lately;
    }
    boolean telling = MulDiv.down(estimateMicros, elapsed, Nanos.SECOND_NANOS) >= TELLING_MICROS;
    if (telling && (contended || lately < estimateMicros / 2)) {
      fell = lately < estimateMicros / 2;
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
