package dev.weir.core.bucket;

import static dev.weir.core.bucket.Lengths.millisNanos;
import static dev.weir.core.bucket.Lengths.secondsNanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.ManualTicker;
import org.junit.jupiter.api.Test;

/**
 * The clauses that a bucket carries: each on a timeline built for it, with the clause and without.
 */
class RulesTest {
  private static final long TOKEN = Tokens.MICROS_PER_TOKEN;
  private static final Share HUNDRED = new Share(100 * TOKEN, 100 * TOKEN);

  private final ManualTicker clock = ManualTicker.at(Long.MAX_VALUE - millisNanos(1_500));
  private final long start = clock.nanos();

  /** H10. */
  @Test
  void h10AChargeGivenBackAfterTheBucketHasRefilledGivesNothing() {
    assertThat(spentAfterACancelledReservation(Rules.ALL)).isEqualTo(100);
  }

  /** H10. */
  @Test
  void h10WithoutTheClauseTwiceTheBurstIsSpentAtOnce() {
    assertThat(spentAfterACancelledReservation(Rules.without(Clause.S12_ROOM_FOR_GIVE_BACK)))
        .isEqualTo(200);
  }

  /** Burst 100: reserve 100, refill, spend, cancel, spend. */
  private long spentAfterACancelledReservation(Rules rules) {
    HotBucket bucket = full(footing(HUNDRED));
    Receipt receipt = new Receipt();
    assertThat(bucket.reserve(100 * TOKEN, clock.nanos(), receipt)).isZero();
    clock.advance(secondsNanos(1));
    long spent = spendAll(bucket);
    bucket.giveBack(receipt, clock, rules);
    return spent + spendAll(bucket);
  }

  /** N10. */
  @Test
  void n10AChargeFromBeforeALeaseFellAndRoseGivesNothing() {
    assertThat(givenBackAfterTheLeaseFellAndRose(Rules.ALL)).isZero();
  }

  /** N10. */
  @Test
  void n10WithoutTheClauseItBringsBackWhatWasCountedElsewhere() {
    assertThat(givenBackAfterTheLeaseFellAndRose(Rules.without(Clause.S12_ROOM_FOR_GIVE_BACK)))
        .isEqualTo(100);
  }

  /**
   * Reserve 100 of burst 100; the lease falls to nothing and rises again without tokens; cancel.
   */
  private long givenBackAfterTheLeaseFellAndRose(Rules rules) {
    HotBucket bucket = full(footing(HUNDRED));
    Receipt receipt = new Receipt();
    assertThat(bucket.reserve(100 * TOKEN, clock.nanos(), receipt)).isZero();
    bucket.change(Change.to(footing(Share.ZERO)), clock.advance(millisNanos(1)));
    bucket.change(Change.to(footing(HUNDRED)), clock.advance(millisNanos(1)));
    return bucket.giveBack(receipt, clock, rules) / TOKEN;
  }

  @Test
  void s12WhatWasTakenAMomentAgoComesBackWhole() {
    HotBucket bucket = full(footing(HUNDRED));
    Receipt receipt = new Receipt();
    bucket.reserve(40 * TOKEN, clock.nanos(), receipt);
    assertThat(bucket.giveBack(receipt, clock, Rules.ALL)).isEqualTo(40 * TOKEN);
    assertThat(bucket.levelAt(clock.nanos())).isEqualTo(100 * TOKEN);
    assertThat(bucket.admittedMicros()).isZero();
    assertThat(bucket.pendingMicros()).isZero();
  }

  @Test
  void s12WhatOthersMayStillGiveBackCountsAsLevel() {
    HotBucket bucket = full(footing(HUNDRED));
    Receipt first = new Receipt();
    Receipt second = new Receipt();
    bucket.reserve(60 * TOKEN, clock.nanos(), first);
    bucket.reserve(40 * TOKEN, clock.nanos(), second);
    assertThat(bucket.pendingMicros()).isEqualTo(100 * TOKEN);
    clock.advance(millisNanos(300));
    // 30 were made; together with what is pending they would not have had room.
    long given = bucket.giveBack(first, clock, Rules.ALL);
    given += bucket.giveBack(second, clock, Rules.ALL);
    assertThat(given).isLessThanOrEqualTo(70 * TOKEN);
    assertThat(bucket.levelAt(clock.nanos())).isLessThanOrEqualTo(100 * TOKEN);
  }

  @Test
  void s12ARenewalKeepsAReceiptGood() {
    Footing lease = lease(HUNDRED, start + secondsNanos(1), Rules.ALL);
    HotBucket bucket = full(lease);
    Receipt receipt = new Receipt();
    bucket.reserve(40 * TOKEN, clock.nanos(), receipt);
    assertThat(bucket.renew(lease(HUNDRED, start + secondsNanos(9), Rules.ALL), clock.nanos()))
        .isTrue();
    assertThat(bucket.giveBack(receipt, clock, Rules.ALL)).isEqualTo(40 * TOKEN);
  }

  @Test
  void s12AReceiptCountsOnce() {
    HotBucket bucket = full(footing(HUNDRED));
    Receipt receipt = new Receipt();
    bucket.reserve(TOKEN, clock.nanos(), receipt);
    bucket.keep(receipt);
    assertThat(receipt.isOpen()).isFalse();
    assertThatIllegalStateException().isThrownBy(() -> bucket.giveBack(receipt, clock, Rules.ALL));
  }

  @Test
  void s5TokensThatArriveAreCutToTheRoomThereWasAllTheWhile() {
    assertThat(levelAfterAGrant(Rules.ALL)).isEqualTo(50 * TOKEN);
  }

  @Test
  void s5WithoutTheClauseTheRefilledRoomIsFilledAgain() {
    assertThat(levelAfterAGrant(Rules.without(Clause.S5_ROOM_ON_ARRIVAL))).isEqualTo(90 * TOKEN);
  }

  /** Empty, asks for 40; has refilled to 100 and spent half when they come. */
  private long levelAfterAGrant(Rules rules) {
    HotBucket bucket = new HotBucket(SharedTerms.first(footing(HUNDRED), 0, start));
    clock.advance(secondsNanos(1));
    assertThat(bucket.take(50 * TOKEN, clock.nanos())).isEqualTo(50 * TOKEN);
    bucket.change(Change.bringing(footing(HUNDRED), 40 * TOKEN, 100 * TOKEN, rules), clock.nanos());
    return bucket.levelAt(clock.nanos());
  }

  @Test
  void s6ALeaseEndsAtItsEndWhoeverLooksAndNobodyElseHasTo() {
    assertThat(takenAfterTheEnd(Rules.ALL)).isEqualTo(10);
  }

  @Test
  void s6WithoutTheCheckInEachDecisionALateTimerSpendsWhatIsSomebodyElses() {
    assertThat(takenAfterTheEnd(Rules.without(Clause.S6_DECISION_CHECKS_EXPIRY))).isEqualTo(100);
  }

  /** A full lease of 100, a floor of 10, no timer; what can be taken right after the end. */
  private long takenAfterTheEnd(Rules rules) {
    HotBucket bucket = full(lease(HUNDRED, start + secondsNanos(1), rules));
    clock.advance(secondsNanos(1));
    return spendAll(bucket);
  }

  @Test
  void s6AtTheEndTheLevelIsCutAndTheFloorRefillsFromThere() {
    HotBucket bucket = full(lease(HUNDRED, start + secondsNanos(1), Rules.ALL));
    assertThat(bucket.levelAt(start + secondsNanos(1) - 1)).isEqualTo(100 * TOKEN);
    assertThat(bucket.take(10 * TOKEN, start + secondsNanos(1))).isZero();
    assertThat(bucket.standingAt(start + secondsNanos(1))).isEqualTo(Standing.LEASE_EXPIRED);
    // Nobody looked for three seconds: as of its end all the same.
    assertThat(bucket.levelAt(start + secondsNanos(4))).isEqualTo(3 * TOKEN);
  }

  @Test
  void s6TheWaitKnowsThatTheBurstAfterTheLeaseIsSmaller() {
    Footing lease =
        Footing.lasting(Standing.LEASE, HUNDRED, secondsNanos(100))
            .until(start + secondsNanos(1), tenAfter(), Rules.ALL);
    HotBucket bucket = new HotBucket(SharedTerms.first(lease, 0, start));
    assertThat(bucket.take(11 * TOKEN, start)).isEqualTo(HotBucket.NEVER);
    assertThat(bucket.waitIfRenewedNanos(11 * TOKEN, start)).isEqualTo(secondsNanos(11));
    // One token at one a second until the end, and so on at the floor's rate.
    assertThat(bucket.take(5 * TOKEN, start)).isEqualTo(-secondsNanos(5));
    assertThat(bucket.take(5 * TOKEN, start + secondsNanos(5))).isZero();
  }

  @Test
  void s4WhatIsCutOffWhenALeaseShrinksIsReportedOnce() {
    HotBucket bucket = full(footing(HUNDRED));
    Change shrink = Change.to(footing(new Share(10 * TOKEN, 10 * TOKEN)));
    assertThat(bucket.change(shrink, start)).isEqualTo(90 * TOKEN);
    assertThat(bucket.change(shrink, start)).isZero();
    assertThat(bucket.change(Change.to(footing(HUNDRED)), start)).isZero();
    assertThat(bucket.levelAt(start)).isEqualTo(10 * TOKEN);
  }

  @Test
  void s4WhatExpiresIsBurntAndNotReported() {
    HotBucket bucket = full(lease(HUNDRED, start + secondsNanos(1), Rules.ALL));
    long after = start + secondsNanos(2);
    assertThat(bucket.change(Change.to(footing(HUNDRED)), after)).isZero();
    assertThat(bucket.levelAt(after)).isEqualTo(10 * TOKEN);
  }

  @Test
  void s13ALentFloorComesHomeEmpty() {
    Footing home = footing(new Share(10 * TOKEN, 10 * TOKEN));
    Footing lent = Footing.nothing(Standing.FLOOR_LENT);
    HotBucket bucket = full(home);
    bucket.change(Change.to(lent.until(start + secondsNanos(5), home, Rules.ALL)), start);
    assertThat(bucket.take(TOKEN, start)).isEqualTo(-millisNanos(5_100));
    assertThat(bucket.standingAt(start)).isEqualTo(Standing.FLOOR_LENT);
    assertThat(bucket.levelAt(start + secondsNanos(5))).isZero();
    assertThat(bucket.levelAt(start + millisNanos(5_500))).isEqualTo(5 * TOKEN);
  }

  private long spendAll(HotBucket bucket) {
    long level = bucket.levelAt(clock.nanos());
    assertThat(bucket.take(level, clock.nanos())).isZero();
    return level / TOKEN;
  }

  private HotBucket full(Footing footing) {
    return new HotBucket(SharedTerms.first(footing, footing.share().burstMicros(), start));
  }

  private static Footing footing(Share share) {
    return Footing.lasting(Standing.FLOOR, share, secondsNanos(1));
  }

  private static Footing lease(Share share, long endNanos, Rules rules) {
    return Footing.lasting(Standing.LEASE, share, secondsNanos(1))
        .until(endNanos, tenAfter(), rules);
  }

  private static Footing tenAfter() {
    Rate one = Rate.perSecond(1);
    return Footing.lasting(
        Standing.LEASE_EXPIRED, new Share(one.micros(), 10 * TOKEN), one.perNanos());
  }
}
