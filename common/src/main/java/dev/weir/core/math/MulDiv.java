package dev.weir.core.math;

/**
 * The exact quotient and remainder of {@code (a * b + carry) / c}, by way of a 128-bit product.
 *
 * <p>Arguments are zero or more and {@code c} is one or more. A quotient above {@link
 * Long#MAX_VALUE} becomes {@code Long.MAX_VALUE} with remainder 0.
 *
 * @param quotient in {@code [0, Long.MAX_VALUE]}
 * @param remainder in {@code [0, c)}
 */
public record MulDiv(long quotient, long remainder) {
  private static final long LOW_HALF = 0xFFFF_FFFFL;
  private static final MulDiv SATURATED = new MulDiv(Long.MAX_VALUE, 0);

  /**
   * Returns quotient and remainder of {@code (a * b + carry) / c}, rounded down.
   *
   * @throws IllegalArgumentException if an argument is negative, or {@code c} is zero
   */
  public static MulDiv floor(long a, long b, long carry, long c) {
    checkArguments(a, b, carry, c);
    long low = a * b + carry;
    long high = high(a, b, low, carry);
    if (saturates(high, low, c)) {
      return SATURATED;
    }
    long quotient = divide(high, low, c);
    // The remainder is below 2^63, so the low words alone give it.
    return new MulDiv(quotient, low - quotient * c);
  }

  /** Returns {@code a * b / c} rounded down, without an object; ranges as in {@link #floor}. */
  public static long down(long a, long b, long c) {
    return down(a, b, 0, c);
  }

  /**
   * Returns {@code (a * b + carry) / c} rounded down, without an object; ranges as in {@link
   * #floor}.
   */
  public static long down(long a, long b, long carry, long c) {
    checkArguments(a, b, carry, c);
    long low = a * b + carry;
    long high = high(a, b, low, carry);
    return saturates(high, low, c) ? Long.MAX_VALUE : divide(high, low, c);
  }

  /** Returns {@code a * b / c} rounded up, without an object; ranges as in {@link #floor}. */
  public static long up(long a, long b, long c) {
    return up(a, b, 0, c);
  }

  /**
   * Returns {@code (a * b + carry) / c} rounded up, without an object; ranges as in {@link #floor}.
   */
  public static long up(long a, long b, long carry, long c) {
    checkArguments(a, b, carry, c);
    long low = a * b + carry;
    long high = high(a, b, low, carry);
    if (saturates(high, low, c)) {
      return Long.MAX_VALUE;
    }
    long quotient = divide(high, low, c);
    boolean exact = low == quotient * c;
    return exact || quotient == Long.MAX_VALUE ? quotient : quotient + 1;
  }

  /**
   * Returns {@code a / b} rounded up.
   *
   * @throws IllegalArgumentException if {@code a} is negative or {@code b} is not positive
   */
  public static long ceilDiv(long a, long b) {
    Check.notNegative("a", a);
    Check.positive("b", b);
    return -Math.floorDiv(-a, b);
  }

  private static void checkArguments(long a, long b, long carry, long c) {
    // One test for the usual case; the slow one says which.
    if ((a | b | carry) < 0 || c <= 0) {
      Check.notNegative("a", a);
      Check.notNegative("b", b);
      Check.notNegative("carry", carry);
      Check.positive("c", c);
    }
  }

  /** The high word of {@code a * b + carry}, whose low word is {@code low}. */
  private static long high(long a, long b, long low, long carry) {
    boolean carriedOver = Long.compareUnsigned(low, carry) < 0;
    return Math.multiplyHigh(a, b) + (carriedOver ? 1 : 0);
  }

  /** Whether the quotient is 2^63 or more, that is {@code high:low >= c * 2^63}. */
  private static boolean saturates(long high, long low, long c) {
    // high is below 2^62, so doubling it stays positive.
    return (high << 1 | low >>> 63) >= c;
  }

  private static long divide(long high, long low, long c) {
    if (high == 0) {
      return low >= 0 ? low / c : Long.divideUnsigned(low, c);
    }
    return divideWide(high, low, c);
  }

  /**
   * Divides 128 bits by 63, two digits of 32 bits, as Knuth has it (The Art of Computer Programming
   * 4.3.1, algorithm D, for a divisor of two digits). Needs {@code high < c}.
   */
  private static long divideWide(long high, long low, long c) {
    // Normalised, so that a guessed digit is at most two too large. c > 0: the shift is 1 to 63.
    int shift = Long.numberOfLeadingZeros(c);
    long divisor = c << shift;
    long top = high << shift | low >>> (64 - shift);
    long rest = low << shift;

    long first = digit(top, rest >>> 32, divisor);
    long middle = (top << 32 | rest >>> 32) - first * divisor;
    long second = digit(middle, rest & LOW_HALF, divisor);
    return first << 32 | second;
  }

  /** One digit of the quotient of {@code top:next}, 96 bits, by {@code divisor}. */
  private static long digit(long top, long next, long divisor) {
    long divisorHigh = divisor >>> 32;
    long divisorLow = divisor & LOW_HALF;
    long guess = Long.divideUnsigned(top, divisorHigh);
    long rest = top - guess * divisorHigh;
    while (guess > LOW_HALF || Long.compareUnsigned(guess * divisorLow, rest << 32 | next) > 0) {
      guess--;
      rest += divisorHigh;
      if (rest > LOW_HALF) {
        break;
      }
    }
    return guess;
  }
}
