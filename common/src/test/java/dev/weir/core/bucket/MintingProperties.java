package dev.weir.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MintingProperties {
  @Seeds
  void theMarkIsTheExactQuotientAtEveryTimeItCovers(Random random) {
    Rate rate = anyRate(random);
    int bits = Minting.horizonBits(rate.micros(), rate.perNanos());
    Terms terms = terms(rate);
    for (int i = 0; i < 200; i++) {
      long elapsedNanos = Quotas.between(random, 0, (1L << bits) - 1);
      assertThat(terms.covers(elapsedNanos)).isTrue();
      assertThat(terms.mark(elapsedNanos) - terms.mark(0))
          .as("%s after %d ns", rate, elapsedNanos)
          .isEqualTo(exact(rate, elapsedNanos));
    }
    assertThat(terms.covers(1L << bits)).isFalse();
    assertThat(terms.covers(-1)).isFalse();
  }

  @Seeds
  void aMarkIsExactRightBeforeAndAtEachMicroToken(Random random) {
    Rate rate = anyRate(random);
    Terms terms = terms(rate);
    long lastNanos = (1L << Minting.horizonBits(rate.micros(), rate.perNanos())) - 1;
    long most = rate.minted(lastNanos);
    for (int i = 0; i < 50 && most > 0; i++) {
      long atNanos = rate.nanosToMint(Quotas.between(random, 1, most));
      assertThat(terms.mark(atNanos) - terms.mark(0)).isEqualTo(exact(rate, atNanos));
      assertThat(terms.mark(atNanos - 1) - terms.mark(0)).isEqualTo(exact(rate, atNanos - 1));
    }
  }

  @Seeds
  void theReciprocalIsGoodForAtLeastOneUnitOfTheRate(Random random) {
    Rate rate = anyRate(random);
    assertThat(1L << Minting.horizonBits(rate.micros(), rate.perNanos()))
        .isGreaterThanOrEqualTo(rate.perNanos());
  }

  @Test
  void theFastestAndTheSlowestRateHaveAReciprocal() {
    for (Rate rate :
        new Rate[] {
          new Rate(Tokens.MAX_MICROS, 1),
          new Rate(Tokens.MAX_MICROS, Rate.MAX_PER_NANOS),
          new Rate(1, 1),
          new Rate(1, Rate.MAX_PER_NANOS)
        }) {
      long multiplier = Minting.multiplier(rate.micros(), rate.perNanos());
      assertThat(multiplier).isBetween(1L << 62, Long.MAX_VALUE);
      assertThat(Minting.shift(rate.micros(), rate.perNanos())).isBetween(1, 120);
      assertThat(terms(rate).mark(1)).isEqualTo(rate.minted(1));
    }
  }

  @Test
  void threeHundredYearsAreToldFromAClockThatWentBackwards() {
    long yearNanos = 365L * 24 * 3600 * 1_000_000_000L;
    assertThat(Minting.elapsedNanos(5, 5 + 290 * yearNanos)).isEqualTo(290 * yearNanos);
    // Wraps, as a monotonic clock does.
    assertThat(Minting.elapsedNanos(5, 5 + 150 * yearNanos + 150 * yearNanos))
        .isEqualTo(Long.MAX_VALUE - 1);
    assertThat(Minting.elapsedNanos(5, 4)).isZero();
    assertThat(Minting.elapsedNanos(5, 5 - 100 * yearNanos)).isZero();
  }

  private static long exact(Rate rate, long elapsedNanos) {
    return BigInteger.valueOf(rate.micros())
        .multiply(BigInteger.valueOf(elapsedNanos))
        .divide(BigInteger.valueOf(rate.perNanos()))
        .longValueExact();
  }

  private static Rate anyRate(Random random) {
    return random.nextInt(4) == 0
        ? new Rate(
            Quotas.between(random, 0, Tokens.MAX_MICROS),
            Quotas.between(random, 1, Rate.MAX_PER_NANOS))
        : Quotas.anyRate(random);
  }

  private static Terms terms(Rate rate) {
    Share share = new Share(rate.micros(), Tokens.MAX_MICROS);
    return SharedTerms.first(Footing.lasting(Standing.FLOOR, share, rate.perNanos()), 0, 0);
  }
}
