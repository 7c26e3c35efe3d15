package dev.weir.core.quota;

import dev.weir.core.math.Check;
import dev.weir.core.math.MulDiv;
import java.util.Comparator;

/**
 * A refill rate: so many micro-tokens per so many nanoseconds, exactly.
 *
 * <p>A rate keeps the form it was written in ("6 per minute" is 6,000,000 micro-tokens per 60 s,
 * not one per 10 µs): shares of a quota are counted in units of {@code 1 / perNanos}, and a reduced
 * fraction could not be divided among regions. Two forms of one speed are therefore not {@code
 * equal}; compare them with {@link #BY_SPEED}.
 *
 * @param micros micro-tokens, in {@code [0, Long.MAX_VALUE]}
 * @param perNanos nanoseconds, in {@code [1, MAX_PER_NANOS]}
 */
public record Rate(long micros, long perNanos) {
  /** 366 days. */
  public static final long MAX_PER_NANOS = 366L * 24 * 3600 * 1_000_000_000L;

  /** Nothing, ever. */
  public static final Rate ZERO = new Rate(0, 1_000_000_000L);

  /** Slowest first; zero for two forms of the same speed. */
  public static final Comparator<Rate> BY_SPEED = Rate::compareSpeed;

  public Rate {
    Check.inRange("micros", micros, 0, Long.MAX_VALUE);
    Check.inRange("perNanos", perNanos, 1, MAX_PER_NANOS);
  }

  /**
   * Returns the rate of so many whole tokens per so many nanoseconds.
   *
   * @param tokens in {@code [0, Tokens.MAX_TOKENS]}
   */
  public static Rate of(long tokens, long perNanos) {
    return new Rate(Tokens.micros(tokens), perNanos);
  }

  /** Returns the rate of so many whole tokens per second. */
  public static Rate perSecond(long tokens) {
    return of(tokens, 1_000_000_000L);
  }

  /**
   * Returns the whole micro-tokens made in that time: rounded down, {@code Long.MAX_VALUE} where
   * they would not fit, 0 for time that did not pass.
   */
  public long minted(long elapsedNanos) {
    return elapsedNanos <= 0 ? 0 : MulDiv.down(micros, elapsedNanos, perNanos);
  }

  /**
   * Returns the first whole nanosecond at which so many micro-tokens have been made: rounded up,
   * {@code Long.MAX_VALUE} for never (rate zero, or later than fits), 0 for nothing.
   */
  public long nanosToMint(long wantedMicros) {
    if (wantedMicros <= 0) {
      return 0;
    }
    return micros == 0 ? Long.MAX_VALUE : MulDiv.up(wantedMicros, perNanos, micros);
  }

  /**
   * Returns this rate over another time.
   *
   * @param newPerNanos in {@code [1, MAX_PER_NANOS]}
   * @param up whether a fraction is rounded up (else down); saturates at {@code Long.MAX_VALUE}
   */
  public Rate toPer(long newPerNanos, boolean up) {
    return new Rate(
        up ? MulDiv.up(micros, newPerNanos, perNanos) : MulDiv.down(micros, newPerNanos, perNanos),
        newPerNanos);
  }

  /** Returns the same speed as the smallest fraction: for arithmetic, not for dividing. */
  public Rate reduced() {
    long divisor = gcd(micros, perNanos);
    return new Rate(micros / divisor, perNanos / divisor);
  }

  private int compareSpeed(Rate other) {
    // micros < 2^63 and perNanos < 2^55: the products fit in 127 bits.
    long high = Math.multiplyHigh(micros, other.perNanos);
    long otherHigh = Math.multiplyHigh(other.micros, perNanos);
    return high != otherHigh
        ? Long.compare(high, otherHigh)
        : Long.compareUnsigned(micros * other.perNanos, other.micros * perNanos);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
