package dev.weir.core.quota;

import dev.weir.core.math.Check;

/**
 * A part of a quota, or the whole of it: a rate and a burst. What it holds now is not part of it.
 *
 * @param rateMicros micro-tokens per {@code perNanos} of its quota's rate, not negative
 * @param burstMicros most micro-tokens its bucket may hold, not negative
 */
public record Share(long rateMicros, long burstMicros) {
  /** Nothing. */
  public static final Share ZERO = new Share(0, 0);

  public Share {
    Check.inRange("rateMicros", rateMicros, 0, Long.MAX_VALUE);
    Check.inRange("burstMicros", burstMicros, 0, Long.MAX_VALUE);
  }

  /**
   * Returns the sum.
   *
   * @throws ArithmeticException if a part would not fit
   */
  public Share plus(Share other) {
    return new Share(
        Math.addExact(rateMicros, other.rateMicros), Math.addExact(burstMicros, other.burstMicros));
  }

  /**
   * Returns what is left without the other.
   *
   * @throws IllegalArgumentException if a part would be negative
   */
  public Share minus(Share other) {
    return new Share(rateMicros - other.rateMicros, burstMicros - other.burstMicros);
  }

  /** Returns what is left without the other, each part at least zero. */
  public Share minusOrZero(Share other) {
    return new Share(
        Math.max(0, rateMicros - other.rateMicros), Math.max(0, burstMicros - other.burstMicros));
  }

  /** Returns the larger rate and the larger burst of the two. */
  public Share max(Share other) {
    return new Share(
        Math.max(rateMicros, other.rateMicros), Math.max(burstMicros, other.burstMicros));
  }

  /** Returns the smaller rate and the smaller burst of the two. */
  public Share min(Share other) {
    return new Share(
        Math.min(rateMicros, other.rateMicros), Math.min(burstMicros, other.burstMicros));
  }

  /** Tells whether both parts are at most the other's. */
  public boolean fitsIn(Share other) {
    return rateMicros <= other.rateMicros && burstMicros <= other.burstMicros;
  }

  /** Tells whether both parts are zero. */
  public boolean isZero() {
    return rateMicros == 0 && burstMicros == 0;
  }
}
