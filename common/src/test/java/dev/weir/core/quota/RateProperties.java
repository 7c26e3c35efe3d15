package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.math.BigInteger;
import java.util.Random;

class RateProperties {
  private static final BigInteger LONG_MAX = BigInteger.valueOf(Long.MAX_VALUE);

  @Seeds(tries = 500)
  void mintedIsTheExactProductRoundedDown(Random random) {
    Rate rate = anyRate(random);
    long elapsedNanos = Quotas.between(random, 0, Long.MAX_VALUE);
    BigInteger exact = product(rate.micros(), elapsedNanos).divide(big(rate.perNanos()));
    assertThat(rate.minted(elapsedNanos)).isEqualTo(exact.min(LONG_MAX).longValue());
  }

  @Seeds(tries = 500)
  void theWaitIsTheFirstInstantAtWhichSoMuchIsMade(Random random) {
    Rate rate = anyRate(random);
    long micros = Quotas.between(random, 1, Long.MAX_VALUE);
    long waitNanos = rate.nanosToMint(micros);
    assertThat(rate.minted(waitNanos - 1)).isLessThan(micros);
    if (waitNanos < Long.MAX_VALUE) {
      assertThat(rate.minted(waitNanos)).isGreaterThanOrEqualTo(micros);
    }
  }

  @Seeds(tries = 500)
  void anotherDenominatorEnclosesTheRate(Random random) {
    Rate rate = anyRate(random);
    long perNanos = Quotas.between(random, 1, Rate.MAX_PER_NANOS);
    Rate down = rate.toPer(perNanos, false);
    Rate up = rate.toPer(perNanos, true);
    assertThat(Rate.BY_SPEED.compare(down, rate)).isNotPositive();
    if (up.micros() < Long.MAX_VALUE) {
      assertThat(Rate.BY_SPEED.compare(up, rate)).isNotNegative();
      assertThat(up.micros() - down.micros()).isBetween(0L, 1L);
    }
  }

  @Seeds(tries = 500)
  void speedsCompareAsTheirFractions(Random random) {
    Rate one = anyRate(random);
    Rate other = random.nextInt(4) == 0 ? one.reduced() : anyRate(random);
    int exact =
        product(one.micros(), other.perNanos()).compareTo(product(other.micros(), one.perNanos()));
    assertThat(Integer.signum(Rate.BY_SPEED.compare(one, other))).isEqualTo(exact);
  }

  private static Rate anyRate(Random random) {
    return new Rate(
        Quotas.between(random, 0, Long.MAX_VALUE), Quotas.between(random, 1, Rate.MAX_PER_NANOS));
  }

  private static BigInteger product(long a, long b) {
    return big(a).multiply(big(b));
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
