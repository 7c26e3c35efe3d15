package dev.weir.core.bound;

/**
 * How the tightest window of a history stands to its bound.
 *
 * @param excessMicros admitted less allowed, in micro-tokens, rounded up; negative where room was
 *     left, saturated at both ends of {@code long}
 * @param fromNanos the window's first admission (both ends belong to the window)
 * @param toNanos the window's last admission
 * @param admittedMicros what the window admitted, saturated
 */
public record Overshoot(long excessMicros, long fromNanos, long toNanos, long admittedMicros) {

  /** The micro-tokens admitted beyond the bound; 0 where it held. */
  public long overshootMicros() {
    return Math.max(0, excessMicros);
  }

  /** Whether no window admitted more than its bound. */
  public boolean held() {
    return excessMicros <= 0;
  }

  /** The window's length; 0 for the admissions of one instant. */
  public long lengthNanos() {
    return toNanos - fromNanos;
  }
}
