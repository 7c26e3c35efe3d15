package dev.weir.core.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.Exhaustive;
import dev.weir.testkit.Seeds;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ApportionmentProperties {
  @Test
  void threeThirdsLoseNothingAndTheLowerIndexGoesFirst() {
    assertThat(Apportionment.byWeight(100, 1, 1, 1)).containsExactly(34, 33, 33);
    assertThat(Apportionment.byWeight(101, 1, 1, 1)).containsExactly(34, 34, 33);
  }

  @Test
  void theLargestRemainderGetsTheUnitThatIsLeft() {
    assertThat(Apportionment.byWeight(10, 2, 1, 1)).containsExactly(5, 3, 2);
    assertThat(Apportionment.byWeight(10, 1, 1, 4)).containsExactly(2, 2, 6);
    assertThat(Apportionment.byWeight(10, 10, 45, 5)).containsExactly(2, 7, 1);
    assertThat(Apportionment.byWeight(10, 6, 46, 8)).containsExactly(1, 8, 1);
  }

  @Test
  void nothingIsDividedIntoNothing() {
    assertThat(Apportionment.byWeight(0, 3, 0, 5)).containsExactly(0, 0, 0);
    assertThat(Apportionment.byWeight(0, 0, 0)).containsExactly(0, 0);
    assertThat(Apportionment.byWeight(0)).isEmpty();
  }

  @Test
  void aWholeThatNobodyMayHaveIsRefused() {
    assertThatThrownBy(() -> Apportionment.byWeight(7, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("total to divide by weights of zero must be in [0, 0]: 7");
    assertThatThrownBy(() -> Apportionment.byWeight(7))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNegativeArgumentIsNamed() {
    assertThatThrownBy(() -> Apportionment.byWeight(-1, 1))
        .hasMessage("total must not be negative: -1");
    assertThatThrownBy(() -> Apportionment.byWeight(1, 2, -3))
        .hasMessage("weight must not be negative: -3");
  }

  @Seeds(tries = 1000)
  void partsAddUpToTheWhole(Random random) {
    long total = anyLong(random);
    long[] weights = weights(random);
    long[] parts = Apportionment.byWeight(total, weights);
    assertThat(parts).hasSameSizeAs(weights);
    assertThat(Arrays.stream(parts)).allMatch(part -> part >= 0);
    assertThat(sum(parts)).isEqualTo(BigInteger.valueOf(total));
  }

  @Seeds(tries = 1000)
  void aWeightOfZeroGetsNothing(Random random) {
    long[] weights = weights(random);
    long[] parts = Apportionment.byWeight(anyLong(random), weights);
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] == 0) {
        assertThat(parts[i]).isZero();
      }
    }
  }

  /** Also where the weights were scaled: then within their number. */
  @Seeds(tries = 1000)
  void everyPartIsItsExactShareRoundedDownOrUp(Random random) {
    long total = anyLong(random);
    long[] weights = weights(random);
    long[] parts = Apportionment.byWeight(total, weights);
    BigInteger sum = sum(weights);
    long slack = sum.bitLength() < Long.SIZE ? 0 : weights.length;
    for (int i = 0; i < weights.length; i++) {
      BigInteger floor =
          BigInteger.valueOf(total).multiply(BigInteger.valueOf(weights[i])).divide(sum);
      assertThat(BigInteger.valueOf(parts[i]).subtract(floor).longValueExact())
          .as("part %d of %d by %s", i, total, Arrays.toString(weights))
          .isBetween(-slack, 1 + slack);
    }
  }

  @Seeds
  void aLargerWeightNeverGetsLess(Random random) {
    long[] weights = weights(random);
    long[] parts = Apportionment.byWeight(anyLong(random), weights);
    for (int i = 0; i < weights.length; i++) {
      for (int j = 0; j < weights.length; j++) {
        if (weights[i] > weights[j]) {
          assertThat(parts[i]).isGreaterThanOrEqualTo(parts[j]);
        }
      }
    }
  }

  @Test
  void everySmallCaseGivesTheUnitsLeftToTheLargestRemainders() {
    Exhaustive all = new Exhaustive();
    while (all.more()) {
      long total = all.between(0, 12);
      long[] weights = new long[all.between(1, 3)];
      Arrays.setAll(weights, i -> all.between(0, 4));
      long sum = Arrays.stream(weights).sum();
      if (sum == 0) {
        continue;
      }
      long[] parts = Apportionment.byWeight(total, weights);
      for (int i = 0; i < weights.length; i++) {
        for (int j = 0; j < weights.length; j++) {
          long remainder = total * weights[i] % sum;
          long other = total * weights[j] % sum;
          boolean before = remainder > other || (remainder == other && i < j);
          if (before && gotOneMore(parts[j], total, weights[j], sum)) {
            assertThat(gotOneMore(parts[i], total, weights[i], sum))
                .as("%d by %s gives %s", total, Arrays.toString(weights), Arrays.toString(parts))
                .isTrue();
          }
        }
      }
    }
  }

  private static boolean gotOneMore(long part, long total, long weight, long sum) {
    return part == total * weight / sum + 1;
  }

  private static BigInteger sum(long[] values) {
    return Arrays.stream(values)
        .mapToObj(BigInteger::valueOf)
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  /** One to eight weights, not all zero; often zero, sometimes so large that they overflow. */
  private static long[] weights(Random random) {
    long[] weights = new long[1 + random.nextInt(8)];
    Arrays.setAll(weights, i -> random.nextInt(5) == 0 ? 0 : anyLong(random));
    int one = random.nextInt(weights.length);
    weights[one] = Math.max(1, weights[one]);
    return weights;
  }

  private static long anyLong(Random random) {
    return random.nextLong() >>> (1 + (random.nextBoolean() ? 0 : random.nextInt(63)));
  }
}
