package dev.weir.core.bucket;

import static dev.weir.core.bucket.Lengths.secondsNanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.core.Rules;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedTermsTest {
  private static final long TOKEN = Tokens.MICROS_PER_TOKEN;
  private static final long START = Long.MAX_VALUE - secondsNanos(3);

  @Test
  void anUntouchedKeyHoldsWhatTheFloorHasMadeSinceItBegan() {
    SharedTerms terms = SharedTerms.first(floor(10, 50), 0, START);
    assertThat(new HotBucket(terms).levelAt(START + secondsNanos(3))).isEqualTo(30 * TOKEN);
    assertThat(new HotBucket(terms).levelAt(START + secondsNanos(9))).isEqualTo(50 * TOKEN);
  }

  @Test
  void aKeyThatComesAfterAChangeHoldsWhatOneThatWasThereBeforeDoes() {
    SharedTerms first = SharedTerms.first(floor(10, 50), 0, START);
    HotBucket there = new HotBucket(first);
    SharedTerms second = first.changedForAll(Change.to(floor(1, 40)), START + secondsNanos(3));
    assertThat(there.follow(second)).isTrue();
    SharedTerms third = second.changedForAll(Change.to(floor(5, 20)), START + secondsNanos(4));
    assertThat(there.follow(third)).isTrue();
    HotBucket fresh = new HotBucket(third);
    for (int second1 = 4; second1 < 9; second1++) {
      long now = START + secondsNanos(second1);
      assertThat(fresh.levelAt(now)).isEqualTo(there.levelAt(now)).isEqualTo(20 * TOKEN);
    }
  }

  @Seeds
  void followingEqualsAChangeOfEachBucketByItself(Random random) {
    SharedTerms shared = SharedTerms.first(any(random), 0, START);
    HotBucket follows = new HotBucket(shared);
    HotBucket changes = new HotBucket(shared);
    long now = START;
    for (int i = 0; i < 50; i++) {
      now += random.nextInt(2_000_000_000);
      if (random.nextInt(5) == 0) {
        Change change = Change.to(any(random));
        shared = shared.changedForAll(change, now);
        assertThat(follows.follow(shared)).isTrue();
        if (random.nextBoolean()) {
          shared.settled();
        }
        changes.change(change, now);
      }
      long cost = random.nextInt(20) * TOKEN;
      assertThat(follows.take(cost, now)).isEqualTo(changes.take(cost, now));
      assertThat(follows.isOnSharedTerms()).isTrue();
    }
  }

  @Test
  void bucketsOfOneFloorThatEndsShareWhatFollows() {
    Footing ending =
        floor(10, 50).until(START + secondsNanos(5), Footing.nothing(Standing.NO_LEASE), Rules.ALL);
    SharedTerms terms = SharedTerms.first(ending, 0, START);
    HotBucket one = new HotBucket(terms);
    HotBucket other = new HotBucket(terms);
    long after = START + secondsNanos(6);
    assertThat(one.take(TOKEN, after)).isEqualTo(HotBucket.NEVER);
    assertThat(other.take(TOKEN, after)).isEqualTo(HotBucket.NEVER);
    assertThat(one.terms).isSameAs(other.terms);
    // And both, as well as one that nobody has looked at, follow to the floor that comes then.
    HotBucket idle = new HotBucket(terms);
    SharedTerms next = terms.changedForAll(Change.to(floor(10, 50)), after);
    for (HotBucket bucket : new HotBucket[] {one, other, idle}) {
      assertThat(bucket.follow(next)).isTrue();
      assertThat(bucket.levelAt(after)).isZero();
      assertThat(bucket.levelAt(after + secondsNanos(1))).isEqualTo(10 * TOKEN);
    }
  }

  @Test
  void anExtendedFloorGoesOnAndAKeyThatCameLateFindsIt() {
    Footing ending = floor(10, 50).until(START + secondsNanos(5), null, Rules.ALL);
    SharedTerms terms = SharedTerms.first(ending, 0, START);
    HotBucket bucket = new HotBucket(terms);
    terms.extend(START + secondsNanos(8));
    assertThat(bucket.take(TOKEN, START + secondsNanos(7))).isNotNegative();
    assertThat(bucket.take(TOKEN, START + secondsNanos(8))).isEqualTo(HotBucket.NEVER);
  }

  @Test
  void aRenewalIsOfTheSameShareAndNoEarlierEnd() {
    Footing ending = floor(10, 50).until(START + secondsNanos(5), null, Rules.ALL);
    SharedTerms terms = SharedTerms.first(ending, 0, START);
    HotBucket bucket = new HotBucket(terms);
    SharedTerms renewed =
        terms.renewedForAll(floor(10, 50).until(START + secondsNanos(8), null, Rules.ALL));
    assertThat(bucket.renew(terms, renewed)).isTrue();
    assertThat(bucket.take(TOKEN, START + secondsNanos(7))).isNotNegative();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                terms.renewedForAll(floor(10, 50).until(START + secondsNanos(4), null, Rules.ALL)));
    assertThatIllegalArgumentException().isThrownBy(() -> terms.renewedForAll(floor(10, 51)));
  }

  @Test
  void onlyAFullBucketWithoutALeaseIsForgotten() {
    SharedTerms terms = SharedTerms.first(floor(10, 50), 0, START);
    HotBucket young = new HotBucket(terms);
    assertThat(young.retire(terms, START + secondsNanos(4))).isFalse();
    long full = START + secondsNanos(5);
    assertThat(young.take(TOKEN, full)).isNotNegative();
    assertThat(young.retire(terms, full)).isFalse();

    HotBucket leased = new HotBucket(terms);
    leased.change(
        Change.to(Footing.lasting(Standing.LEASE, new Share(TOKEN, TOKEN), secondsNanos(1))), full);
    assertThat(leased.retire(terms, full + secondsNanos(9))).isFalse();

    HotBucket pending = new HotBucket(terms);
    Receipt receipt = new Receipt();
    pending.reserve(TOKEN, full, receipt);
    assertThat(pending.retire(terms, full + secondsNanos(9))).isFalse();
    pending.keep(receipt);
    assertThat(pending.retire(terms, full + secondsNanos(9))).isTrue();

    assertThat(young.retire(terms, full + secondsNanos(1))).isTrue();
    assertThat(young.take(TOKEN, full + secondsNanos(1))).isEqualTo(HotBucket.RETIRED);
    assertThat(young.take(0, full + secondsNanos(1))).isEqualTo(HotBucket.RETIRED);
    assertThat(young.reserve(TOKEN, full + secondsNanos(1), receipt)).isEqualTo(HotBucket.RETIRED);
    assertThat(young.change(Change.to(floor(1, 1)), full + secondsNanos(1))).isZero();
    SharedTerms next = terms.changedForAll(Change.to(floor(1, 1)), full + secondsNanos(1));
    assertThat(young.follow(next)).isFalse();
    assertThat(young.take(TOKEN, full + secondsNanos(2))).isEqualTo(HotBucket.RETIRED);
  }

  private static Footing any(Random random) {
    return random.nextInt(4) == 0
        ? Footing.nothing(Standing.NO_LEASE)
        : floor(random.nextInt(100), 1 + random.nextInt(100));
  }

  private static Footing floor(long tokensPerSecond, long burstTokens) {
    return Footing.lasting(
        Standing.FLOOR, new Share(tokensPerSecond * TOKEN, burstTokens * TOKEN), secondsNanos(1));
  }
}
