package dev.weir.core.math;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Divides a whole by weights into whole parts that add up to it exactly. */
public final class Apportionment {
  private Apportionment() {}

  /**
   * Returns the parts of {@code total}, in the order of the weights: each the exact share rounded
   * down, and one more for those with the largest remainders (Hamilton's method); of equal
   * remainders the lower index goes first. A weight of zero gets nothing.
   *
   * <p>Weights whose sum passes {@link Long#MAX_VALUE} are first divided by the same power of two:
   * the parts still add up, and each is then off by less than the number of weights.
   *
   * @param total the whole, zero or more
   * @param weights each zero or more
   * @throws IllegalArgumentException if an argument is negative, or {@code total} is positive and
   *     no weight is
   */
  public static long[] byWeight(long total, long... weights) {
    Check.notNegative("total", total);
    for (long weight : weights) {
      Check.notNegative("weight", weight);
    }
    long[] scaled = scaledToAddUp(weights);
    long sum = Arrays.stream(scaled).sum();
    if (sum == 0) {
      Check.inRange("total to divide by weights of zero", total, 0, 0);
      return new long[weights.length];
    }
    return byLargestRemainder(total, scaled, sum);
  }

  private static long[] byLargestRemainder(long total, long[] weights, long sum) {
    long[] parts = new long[weights.length];
    long[] remainders = new long[weights.length];
    long left = total;
    for (int i = 0; i < weights.length; i++) {
      MulDiv part = MulDiv.floor(total, weights[i], 0, sum);
      parts[i] = part.quotient();
      remainders[i] = part.remainder();
      left -= part.quotient();
    }
    // Fewer are left than there are remainders above zero, so a weight of zero gets none of them.
    // The sort is stable: of equal remainders the lower index stays in front.
    IntStream.range(0, weights.length)
        .boxed()
        .sorted(Comparator.comparingLong((Integer i) -> remainders[i]).reversed())
        .limit(left)
        .forEach(i -> parts[i]++);
    return parts;
  }

  private static long[] scaledToAddUp(long[] weights) {
    long[] scaled = weights.clone();
    while (!addsUp(scaled)) {
      Arrays.setAll(scaled, i -> scaled[i] >>> 1);
    }
    return scaled;
  }

  private static boolean addsUp(long[] weights) {
    long sum = 0;
    for (long weight : weights) {
      sum += weight;
      if (sum < 0) {
        return false;
      }
    }
    return true;
  }
}
