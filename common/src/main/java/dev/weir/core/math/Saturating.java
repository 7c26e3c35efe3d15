package dev.weir.core.math;

/** Sums and products of amounts, {@link Long#MAX_VALUE} where they would be more. */
public final class Saturating {
  private Saturating() {}

  /**
   * Returns the sum.
   *
   * @throws IllegalArgumentException if an argument is negative
   */
  public static long plus(long first, long second) {
    long sum = Check.notNegative("amount", first) + Check.notNegative("amount", second);
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /**
   * Returns the product.
   *
   * @throws IllegalArgumentException if an argument is negative
   */
  public static long times(long amount, long factor) {
    return MulDiv.down(amount, factor, 1);
  }
}
