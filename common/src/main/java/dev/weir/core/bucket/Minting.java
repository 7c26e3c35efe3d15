package dev.weir.core.bucket;

import dev.weir.core.math.MulDiv;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Tokens;

/**
 * How much a rate has made, exactly, without a division: {@code floor(micros · elapsed / per)} is
 * guessed by multiplying with a reciprocal and then corrected by the remainder (Granlund and
 * Montgomery, Division by Invariant Integers using Multiplication, 1994).
 *
 * <p>The reciprocal is {@code multiplier = floor(micros · 2^shift / per)} with the largest shift
 * that keeps it below {@code 2^63}. As long as {@code elapsed} is below {@code 2^horizonBits}, the
 * guess is at most one too low: its error is below {@code elapsed / 2^shift < 1/2} before rounding.
 */
final class Minting {
  /** 146 years: a wait of this or more is never, a jump back of more a clock that has wrapped. */
  private static final long EON_NANOS = 1L << 62;

  /**
   * How many micro-tokens one epoch of a bucket may make at most: 19 hours of a million tokens a
   * second. With more the word would wrap around after fewer epochs, with less a fast bucket would
   * be anchored anew more often.
   */
  private static final long EPOCH_MICROS = 1L << 56;

  private static final int HORIZON_BITS_MAX = 62;

  private Minting() {}

  /**
   * Returns the time from one instant to another, 0 if it went backwards. Up to 438 years are told
   * from a clock that went backwards; beyond 292 they come out as {@code Long.MAX_VALUE - 1}.
   */
  static long elapsedNanos(long fromNanos, long toNanos) {
    long nanos = toNanos - fromNanos;
    if (nanos >= 0) {
      return nanos;
    }
    return nanos < -EON_NANOS ? Long.MAX_VALUE - 1 : 0;
  }

  /** The reciprocal of a rate, in {@code [2^62, 2^63)}; 0 for rate 0. */
  static long multiplier(long micros, long perNanos) {
    if (micros == 0) {
      return 0;
    }
    long scaled = micros << shiftToTop(micros);
    long quotient = scaled / perNanos;
    int rest = shiftToTop(quotient);
    return (quotient << rest) + MulDiv.down(scaled % perNanos, 1L << rest, perNanos);
  }

  /** The power of two by which {@link #multiplier} is too large, in {@code [1, 120]}. */
  static int shift(long micros, long perNanos) {
    if (micros == 0) {
      return Long.SIZE;
    }
    int first = shiftToTop(micros);
    return first + shiftToTop((micros << first) / perNanos);
  }

  /**
   * For how long, as a power of two of nanoseconds, the reciprocal is good: at least one {@code
   * perNanos}, so that a bucket can be anchored anew without losing a part of a micro-token.
   */
  static int horizonBits(long micros, long perNanos) {
    if (micros == 0) {
      return HORIZON_BITS_MAX;
    }
    long nanos = MulDiv.down(Math.max(EPOCH_MICROS, 2 * micros), perNanos, micros);
    return Math.min(HORIZON_BITS_MAX, Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos));
  }

  /**
   * Returns the part made of the next micro-token, {@code (micros · elapsed + carry) mod per}, also
   * where the quotient would not fit.
   */
  static long carry(long micros, long elapsedNanos, long carry, long perNanos) {
    return MulDiv.floor(micros % perNanos, elapsedNanos % perNanos, carry, perNanos).remainder();
  }

  /**
   * Returns the time a rate needs for the part of a micro-token that was under way when it came
   * into force, rounded down to a nanosecond: less than a micro-token is lost at a change of rate,
   * and less than what the new rate makes in a nanosecond where that is less.
   *
   * @param carry in units of {@code 1 / perNanos} of a micro-token, in {@code [0, perNanos)}
   */
  static long nanosUnderWay(long carry, long perNanos, Rate newRate) {
    if (newRate.micros() == 0) {
      return 0;
    }
    return MulDiv.down(carry, newRate.perNanos(), perNanos) / newRate.micros();
  }

  /** Returns a wait as it is answered: {@link Bucket#NEVER} where nobody will see its end. */
  static long waitOf(long nanos) {
    return nanos >= EON_NANOS ? Bucket.NEVER : nanos;
  }

  /** So that the highest set bit is bit 62. Arguments are at most {@link Tokens#MAX_MICROS}. */
  private static int shiftToTop(long positive) {
    return Long.numberOfLeadingZeros(positive) - 1;
  }
}
