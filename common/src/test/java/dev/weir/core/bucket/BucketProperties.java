package dev.weir.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.bucket.Bucket.Taking;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.util.Random;

class BucketProperties {
  @Seeds
  void manySmallRefillsMintWhatOneLargeRefillWould(Random random) {
    ManualTicker clock = ManualTicker.startingAnywhere(random);
    Bucket small = anyBucket(random, clock.nanos());
    Bucket large = small;
    for (int i = 0; i < 30; i++) {
      clock.advance(Quotas.between(random, 0, 1L << 50));
      small = small.refill(clock.nanos());
    }
    assertThat(small).isEqualTo(large.refill(clock.nanos()));
  }

  @Seeds
  void theRetryHintIsTheFirstInstantThatIsAllowed(Random random) {
    ManualTicker clock = ManualTicker.startingAnywhere(random);
    Bucket bucket = anyBucket(random, clock.nanos());
    long cost = Quotas.between(random, 1, bucket.burstMicros());
    clock.advance(Quotas.between(random, 0, 1L << 40));
    Taking refused = bucket.take(cost, clock.nanos());
    long wait = refused.waitNanos();
    if (refused.admitted()) {
      assertThat(wait).isZero();
    } else if (wait == Bucket.NEVER) {
      assertThat(bucket.take(cost, clock.nanos() + (1L << 62) - 1).admitted()).isFalse();
    } else {
      assertThat(bucket.take(cost, clock.nanos() + wait).admitted()).isTrue();
      assertThat(bucket.take(cost, clock.nanos() + wait - 1).admitted()).isFalse();
    }
  }

  @Seeds
  void oneCallForSevenEqualsSevenCallsForOne(Random random) {
    long now = random.nextLong();
    Bucket bucket = anyBucket(random, now);
    long cost = Quotas.between(random, 0, bucket.levelMicros() / 7);
    Bucket one = bucket.take(7 * cost, now).after();
    Bucket seven = bucket;
    for (int i = 0; i < 7; i++) {
      seven = seven.take(cost, now).after();
    }
    assertThat(seven).isEqualTo(one);
  }

  @Seeds
  void aChangeOfRateFillsNothingAndLosesLessThanAMicroToken(Random random) {
    long now = random.nextLong();
    Bucket bucket = anyBucket(random, now);
    Rate other = Quotas.anyRate(random);
    long burst = Quotas.between(random, 1, Tokens.MAX_MICROS);
    Bucket changed = bucket.with(other, burst, now);
    assertThat(changed.levelMicros()).isEqualTo(Math.min(bucket.levelMicros(), burst));
    // carry / per is how much of a micro-token is made; the new part is no larger than the old.
    double before = (double) bucket.carry() / bucket.rate().perNanos();
    double after = (double) changed.carry() / other.perNanos();
    assertThat(after).isLessThanOrEqualTo(before + 1e-9);
  }

  @Seeds
  void aBucketNeverHoldsMoreThanItsBurstNorGainsByLooking(Random random) {
    ManualTicker clock = ManualTicker.startingAnywhere(random);
    Bucket bucket = anyBucket(random, clock.nanos());
    for (int i = 0; i < 30; i++) {
      clock.advance(Quotas.between(random, -1_000_000_000L, 1L << 50));
      Bucket looked = bucket.take(0, clock.nanos()).after();
      assertThat(looked.levelMicros()).isBetween(bucket.levelMicros(), bucket.burstMicros());
      assertThat(looked.refill(clock.nanos() + 7)).isEqualTo(bucket.refill(clock.nanos() + 7));
      bucket = looked;
    }
  }

  private static Bucket anyBucket(Random random, long nowNanos) {
    Rate rate = Quotas.anyRate(random);
    long burst = Quotas.between(random, 1, Tokens.MAX_MICROS);
    return new Bucket(
        Quotas.between(random, 0, burst),
        Quotas.between(random, 0, rate.perNanos() - 1),
        nowNanos,
        rate,
        burst);
  }
}
