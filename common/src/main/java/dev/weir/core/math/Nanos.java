package dev.weir.core.math;

/**
 * Monotonic time in nanoseconds. An <em>instant</em> is any {@code long}, from an arbitrary origin,
 * and wraps around; a <em>length</em> is zero or more and does not. Two instants may be compared
 * while they are less than 2^63 ns (292 years) apart.
 */
public final class Nanos {
  /** A microsecond. */
  public static final long MICROSECOND_NANOS = 1_000L;

  /** A millisecond. */
  public static final long MILLISECOND_NANOS = 1_000_000L;

  /** A second. */
  public static final long SECOND_NANOS = 1_000_000_000L;

  private Nanos() {}

  /** Returns a length of so many milliseconds; ranges as in {@link #times}. */
  public static long ofMillis(long millis) {
    return times(MILLISECOND_NANOS, millis);
  }

  /** Returns a length of so many seconds; ranges as in {@link #times}. */
  public static long ofSeconds(long seconds) {
    return times(SECOND_NANOS, seconds);
  }

  /** Whether {@code nowNanos} is {@code instantNanos} or later. */
  public static boolean hasReached(long nowNanos, long instantNanos) {
    return nowNanos - instantNanos >= 0;
  }

  /** Whether one instant comes before another. */
  public static boolean isBefore(long instantNanos, long otherNanos) {
    return instantNanos - otherNanos < 0;
  }

  /** Returns the earlier of two instants. */
  public static long earlier(long firstNanos, long secondNanos) {
    return isBefore(secondNanos, firstNanos) ? secondNanos : firstNanos;
  }

  /** Returns the later of two instants. */
  public static long later(long firstNanos, long secondNanos) {
    return isBefore(firstNanos, secondNanos) ? secondNanos : firstNanos;
  }

  /** Returns the length from one instant to another; 0 if time seems to have gone backwards. */
  public static long elapsed(long fromNanos, long toNanos) {
    return Math.max(0, toNanos - fromNanos);
  }

  /**
   * Returns the sum of two lengths, {@link Long#MAX_VALUE} where it would be more.
   *
   * @throws IllegalArgumentException if a length is negative
   */
  public static long plus(long firstNanos, long secondNanos) {
    long sumNanos =
        Check.notNegative("length", firstNanos) + Check.notNegative("length", secondNanos);
    return sumNanos < 0 ? Long.MAX_VALUE : sumNanos;
  }

  /**
   * Returns a length so many times over, {@link Long#MAX_VALUE} where it would be more.
   *
   * @throws IllegalArgumentException if an argument is negative
   */
  public static long times(long lengthNanos, long factor) {
    return MulDiv.down(lengthNanos, factor, 1);
  }
}
