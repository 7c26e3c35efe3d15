package dev.weir.core.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.Rate;
import dev.weir.testkit.Seeds;
import java.math.BigInteger;
import java.util.Random;

class WindowJudgeProperties {
  private static final int ADMISSIONS = 60;

  /** The promise itself, written out: every pair of admissions is the ends of a window. */
  @Seeds
  void theWorstWindowIsTheWorstOfAllWindows(Random random) {
    Rate rate = new Rate(random.nextLong(2_000), 1 + random.nextLong(1_000));
    long burst = random.nextLong(20_000);
    int driftPpm = random.nextInt(3) * 250_000;
    long[] at = new long[ADMISSIONS];
    long[] cost = new long[ADMISSIONS];
    long now = random.nextLong();
    WindowJudge judge = new WindowJudge(rate, burst, driftPpm);
    for (int i = 0; i < ADMISSIONS; i++) {
      now += random.nextInt(3) == 0 ? 0 : random.nextLong(2_000);
      at[i] = now;
      cost[i] = random.nextLong(3_000);
      judge.admitted(at[i], cost[i]);
    }

    BigInteger worst = BigInteger.valueOf(Long.MIN_VALUE);
    for (int from = 0; from < ADMISSIONS; from++) {
      long sum = 0;
      for (int to = from; to < ADMISSIONS; to++) {
        sum += cost[to];
        BigInteger excess = excess(sum, burst, rate, driftPpm, at[to] - at[from]);
        worst = worst.max(excess);
      }
    }
    assertThat(judge.worst().excessMicros()).isEqualTo(worst.longValueExact());
    assertThat(judge.worst().admittedMicros())
        .as("the window it names is one of that excess")
        .isEqualTo(sumBetween(at, cost, judge.worst()));
  }

  /** Rounded up: -floor(-x). */
  private static BigInteger excess(
      long sum, long burst, Rate rate, int driftPpm, long lengthNanos) {
    BigInteger unit = BigInteger.valueOf(rate.perNanos()).multiply(BigInteger.valueOf(1_000_000));
    BigInteger minted =
        BigInteger.valueOf(rate.micros())
            .multiply(BigInteger.valueOf(lengthNanos))
            .multiply(BigInteger.valueOf(1_000_000 + driftPpm));
    BigInteger below = minted.subtract(BigInteger.valueOf(sum - burst).multiply(unit));
    BigInteger[] parts = below.divideAndRemainder(unit);
    BigInteger floor = parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    return floor.negate();
  }

  /**
   * Several admissions of one instant may lie at the ends; the window takes those that make it
   * worst.
   */
  private static long sumBetween(long[] at, long[] cost, Overshoot window) {
    long sum = 0;
    for (int i = 0; i < at.length; i++) {
      if (at[i] - window.fromNanos() >= 0 && at[i] - window.toNanos() <= 0) {
        sum += cost[i];
      }
    }
    return sum;
  }
}
