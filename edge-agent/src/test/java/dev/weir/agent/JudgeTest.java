package dev.weir.agent;

import static dev.weir.agent.Agents.book;
import static dev.weir.agent.Agents.perTenant;
import static dev.weir.agent.Boot.SECOND_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Decisions of one boot, on a clock moved by hand. */
class JudgeTest {
  private static final long TENTH_NANOS = SECOND_NANOS / 10;

  // ------------------------------------------------------------------------------ one quota

  /** C32. */
  @Test
  void fiveASecondWithABurstOfTwentyWorkedByHand() {
    QuotaSpec quota = perTenant("api", 5, 20).withMaxCost(Tokens.micros(20));
    Boot boot = full(quota);
    assertThat(boot.ask("acme", 17).allowed()).isTrue();
    boot.clock.advance(TENTH_NANOS); // level 3.5

    boot.clock.advance(3 * TENTH_NANOS);
    Decision at300 = boot.ask("acme", 4);
    assertThat(at300.allowed()).isTrue();
    assertThat(at300.quotas().get(0).remainingMicros()).isEqualTo(Tokens.micros(1));
    boot.clock.advance(2 * TENTH_NANOS);
    Decision at500 = boot.ask("acme", 4);
    assertThat(at500.allowed()).isFalse();
    assertThat(at500.reason()).isEqualTo(Reason.EXHAUSTED);
    assertThat(at500.quotas().get(0).remainingMicros()).isEqualTo(Tokens.micros(2));
    assertThat(at500.retryAfterNanos()).isEqualTo(4 * TENTH_NANOS);
  }

  /** C33. */
  @Test
  void oneASecondWithABurstOfFiveWorkedByHand() {
    Boot boot = full(perTenant("api", 1, 5));
    long[] left = {4_000_000, 3_100_000, 2_200_000, 1_300_000, 400_000};
    for (long micros : left) {
      assertThat(boot.ask("acme", 1).quotas().get(0).remainingMicros()).isEqualTo(micros);
      boot.clock.advance(TENTH_NANOS);
    }
    Decision refused = boot.ask("acme", 1);
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.quotas().get(0).remainingMicros()).isEqualTo(500_000);
    assertThat(refused.retryAfterNanos()).isEqualTo(5 * TENTH_NANOS);
    boot.clock.advance(SECOND_NANOS);
    assertThat(boot.ask("acme", 1).quotas().get(0).remainingMicros()).isEqualTo(500_000);
  }

  /** C30. */
  @Test
  void theThirdOfTwoAMinuteHasNothingLeftAndAWait() {
    QuotaSpec quota =
        QuotaSpec.leased(
            new QuotaId("shop", "api"),
            List.of(Match.any("tenant")),
            Rate.of(2, 60 * SECOND_NANOS),
            Tokens.micros(2));
    Boot boot = full(quota);
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
    Decision third = boot.ask("acme", 1);
    assertThat(third.allowed()).isFalse();
    assertThat(third.quotas().get(0).remainingMicros()).isZero();
    assertThat(third.retryAfterNanos()).isPositive();
  }

  /** C31. */
  @Test
  void theWaitIsTrueToTheNanosecond() {
    Boot boot = leased(perTenant("api", 10_000, 10_000).withMaxCost(Tokens.micros(10_000)));
    assertThat(boot.ask("acme", 10_000).allowed()).isTrue();
    Decision refused = boot.ask("acme", 1);
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.retryAfterNanos()).isEqualTo(100_000);

    boot.clock.advance(refused.retryAfterNanos() - 1);
    assertThat(boot.ask("acme", 1).allowed()).isFalse();
    boot.clock.advance(1);
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
  }

  /** C14. */
  @Test
  void aCostThatCanNeverPassLeavesTheBucketUntouched() {
    Boot boot = full(perTenant("api", 10, 10));
    Decision decision = boot.ask("acme", 1_000);
    assertThat(decision.reason()).isEqualTo(Reason.COST_TOO_LARGE);
    assertThat(decision.retryAfterNanos()).isEqualTo(Decision.NEVER);
    assertThat(boot.ask("acme", 1).quotas().get(0).remainingMicros()).isEqualTo(Tokens.micros(9));
  }

  /** There is nothing to come, whatever a client does: somebody has to change a file. */
  @Test
  void aRegionThatTheDomainDoesNotListIsToldApartFromOneThatWaitsForALease() {
    QuotaSpec quota = perTenant("api", 10, 10);
    Boot boot =
        new Boot(
            1_000,
            new QuotaBook(
                1,
                Map.of(
                    "shop",
                    new DomainBook("shop", List.of(new Region("mars", 1)), List.of(quota)))));
    Decision unknown = boot.ask("acme", 1);
    assertThat(unknown.reason()).isEqualTo(Reason.UNKNOWN_REGION);
    assertThat(unknown.retryAfterNanos()).isEqualTo(30 * SECOND_NANOS);
    // No answer is applied for longer than the quota's ttl: it counts as cut off, too.
    boot.clock.advance(60 * SECOND_NANOS);
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.UNKNOWN_REGION);
    assertThat(boot.ask("acme", 1_000).reason()).isEqualTo(Reason.COST_TOO_LARGE);

    assertThat(new Boot(quota).ask("acme", 1).reason()).isEqualTo(Reason.NO_LEASE);
  }

  /** What was leased before the region was taken from the file may be used to its end. */
  @Test
  void aLeaseOfARegionThatIsNoLongerListedIsUsedAndSpentLikeAnyOther() {
    QuotaSpec quota = perTenant("api", 10, 10);
    Boot boot = new Boot(quota);
    assertThat(boot.ask("acme", 1).allowed()).isFalse();
    boot.life.adopt(
        new QuotaBook(2, Map.of("shop", new DomainBook("shop", List.of(), List.of(quota)))));
    boot.lease(quota, "acme", 10, 10, 1, 5 * SECOND_NANOS);
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.EXHAUSTED);
    boot.clock.advance(5 * SECOND_NANOS);
    boot.heard();
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.UNKNOWN_REGION);
  }

  /** C18. */
  @Test
  void aQuotaThatNeverRefillsSaysNever() {
    Boot boot = full(perTenant("api", 0, 1), perTenant("other", 5, 5));
    // A bucket that never refills has its token from the lease alone.
    QuotaSpec quota = Objects.requireNonNull(boot.life.tables().book().quota(id("api")));
    assertThat(boot.ask("acme", 1).allowed()).isFalse();
    boot.lease(quota, "acme", 0, 1, 1, 1_000 * SECOND_NANOS);
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
    assertThat(boot.ask("acme", 1).retryAfterNanos()).isEqualTo(Decision.NEVER);
  }

  @Test
  void lookingTakesNothing() {
    Boot boot = full(perTenant("api", 1, 5));
    for (int i = 0; i < 10; i++) {
      Decision look = boot.ask("acme", 0);
      assertThat(look.allowed()).isTrue();
      assertThat(look.quotas().get(0).remainingMicros()).isEqualTo(Tokens.micros(5));
    }
  }

  /** C34. */
  @Test
  void twoHundredAtOnceGetExactlyAHundred() throws Exception {
    Boot boot = full(perTenant("api", 1, 100));
    AtomicInteger admitted = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 50; t++) {
      Thread thread =
          new Thread(
              () -> {
                awaitUninterruptibly(go);
                for (int i = 0; i < 4; i++) {
                  if (boot.ask("acme", 1).allowed()) {
                    admitted.incrementAndGet();
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(admitted).hasValue(100);
  }

  /** C21. */
  @Test
  void keysThatLookAlikeAreKeptApart() {
    QuotaSpec quota =
        QuotaSpec.leased(
            new QuotaId("shop", "api"),
            List.of(Match.any("tenant"), Match.any("user")),
            Rate.perSecond(1),
            Tokens.micros(1));
    Boot boot = full(quota);
    List<Descriptors> alike =
        List.of(
            Descriptors.of("tenant", "a_b", "user", "c"),
            Descriptors.of("tenant", "a", "user", "b_c"),
            Descriptors.of("tenant", "a,user=b", "user", "c"),
            Descriptors.of("tenant", "a", "user", "b,user=c"),
            Descriptors.of("tenant", "a:b|{}", "user", "\n\0"),
            Descriptors.of("tenant", "\u00e4", "user", "c"),
            Descriptors.of("tenant", "a\u0308", "user", "c"));
    alike.forEach(each -> assertThat(boot.ask(each, 1).allowed()).as(each.toString()).isTrue());
    alike.forEach(each -> assertThat(boot.ask(each, 1).allowed()).as(each.toString()).isFalse());
  }

  // ------------------------------------------------------------------------------ several

  @Test
  void aRequestIsAdmittedByAllOfItsQuotasOrTakesFromNone() {
    QuotaSpec narrow = perTenant("narrow", 10, 10);
    QuotaSpec wide =
        QuotaSpec.leased(id("wide"), List.of(), Rate.perSecond(100), Tokens.micros(5))
            .withMaxCost(Tokens.micros(5));
    Boot boot = full(narrow, wide);
    for (int i = 0; i < 5; i++) {
      assertThat(boot.ask("acme", 1).allowed()).isTrue();
    }
    Decision refused = boot.ask("acme", 1);
    assertThat(refused.allowed()).isFalse();
    assertThat(refused.quotas()).extracting(Verdict::allowed).containsExactly(true, false);
    assertThat(refused.quotas())
        .extracting(v -> v.quota().id().name())
        .containsExactly("narrow", "wide");
    assertThat(boot.bucket(narrow, "acme").levelAt(boot.now())).isEqualTo(Tokens.micros(5));
    assertThat(boot.bucket(narrow, "acme").pendingMicros()).isZero();
    assertThat(counters(boot, wide).refused(Reason.EXHAUSTED)).isEqualTo(1);
    assertThat(counters(boot, narrow).allowed(Reason.OK)).isEqualTo(5);
  }

  /** S12: with the clause, and without it. */
  @Test
  void aRequestThatOneQuotaRefusesConsumesNothingOfAnother() {
    assertThat(leftAfterRefusals(Rules.ALL)).isEqualTo(Tokens.micros(9));
    assertThat(leftAfterRefusals(Rules.without(Clause.S12_ALL_OR_NOTHING))).isZero();
  }

  /** Two quotas of 10 and of 1 on the same request, one admitted and nine refused. */
  private static long leftAfterRefusals(Rules rules) {
    QuotaSpec narrow = perTenant("narrow", 10, 10);
    QuotaSpec wide = QuotaSpec.leased(id("wide"), List.of(), Rate.perSecond(100), Tokens.micros(1));
    Boot boot = full(rules, narrow, wide);
    for (int i = 0; i < 10; i++) {
      assertThat(boot.ask("acme", 1).allowed()).isEqualTo(i == 0);
    }
    return boot.bucket(narrow, "acme").levelAt(boot.now());
  }

  @Test
  void theNarrowestRefusesFirstAndTheOthersAreNotAsked() {
    QuotaSpec narrow = perTenant("narrow", 1, 1);
    QuotaSpec wide = perTenant("wide", 100, 100);
    Boot boot = full(narrow, wide);
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
    long before = boot.bucket(wide, "acme").levelAt(boot.now());
    Decision refused = boot.ask("acme", 1);
    assertThat(refused.quotas()).extracting(Verdict::allowed).containsExactly(false, true);
    assertThat(boot.bucket(wide, "acme").levelAt(boot.now())).isEqualTo(before);
  }

  @Test
  void aQuotaInShadowModeRefusesNobodyAndHoldsNobodyUp() {
    QuotaSpec shadow = perTenant("shadow", 1, 1).withMode(Mode.SHADOW);
    QuotaSpec real = perTenant("real", 3, 3);
    Boot boot = full(shadow, real);
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.OK);
    Decision second = boot.ask("acme", 1);
    assertThat(second.allowed()).isTrue();
    assertThat(second.reason()).isEqualTo(Reason.SHADOW);
    assertThat(second.quotas())
        .extracting(Verdict::reason)
        .containsExactly(Reason.SHADOW, Reason.OK);
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
    assertThat(boot.ask("acme", 1).reason()).as("the real one").isEqualTo(Reason.EXHAUSTED);
    assertThat(counters(boot, shadow).allowed(Reason.SHADOW)).isEqualTo(2);
  }

  @Test
  void aQuotaThatIsOffMatchesNothing() {
    Boot boot = full(perTenant("off", 1, 1).withMode(Mode.OFF));
    assertThat(boot.ask("acme", 1)).isEqualTo(Decision.UNMATCHED);
  }

  // ------------------------------------------------------------------------------ keys

  /** S8: what a floor would have made since it became this boot's, whether it was asked or not. */
  @Test
  void aNewBootStartsEmptyAndAFreshKeyHoldsWhatItsFloorHasMade() {
    QuotaSpec quota = perTenant("api", 10, 20);
    Boot boot = new Boot(quota);
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.NO_LEASE);
    boot.clock.advance(1_000 * SECOND_NANOS);
    boot.heard();
    boot.wholeFloor(quota);
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.EXHAUSTED);
    boot.clock.advance(TENTH_NANOS / 2);
    assertThat(boot.ask("other", 1).allowed()).isFalse();
    boot.clock.advance(TENTH_NANOS / 2);
    assertThat(boot.ask("third", 1).quotas().get(0).remainingMicros()).isZero();
    boot.clock.advance(100 * SECOND_NANOS);
    boot.heard();
    assertThat(boot.ask("fourth", 1).quotas().get(0).remainingMicros())
        .isEqualTo(Tokens.micros(19));
  }

  /** H11d: with the clause, and without it. No thread refreshes a clock, or ends a lease. */
  @Test
  void aLeaseEndsByTheClockThatADecisionReadsAndNoThreadHasToBeThereForIt() {
    assertThat(spentAfterTheLease(Rules.ALL)).isZero();
    assertThat(spentAfterTheLease(Rules.without(Clause.S6_DECISION_CHECKS_EXPIRY))).isEqualTo(100);
  }

  /** A lease of a second, full when it ends; what is admitted in the five seconds after. */
  private static int spentAfterTheLease(Rules rules) {
    QuotaSpec quota = perTenant("api", 0, 100);
    Boot boot = new Boot(rules, quota);
    assertThat(boot.ask("acme", 1).allowed()).isFalse();
    boot.lease(quota, "acme", 0, 100, 100, SECOND_NANOS);
    boot.clock.advance(SECOND_NANOS - 1);
    assertThat(boot.ask("acme", 0).quotas().get(0).remainingMicros()).isEqualTo(Tokens.micros(100));
    int admitted = 0;
    boot.clock.advance(1);
    for (int i = 0; i < 200; i++) {
      admitted += boot.ask("acme", 1).allowed() ? 1 : 0;
      boot.clock.advance(SECOND_NANOS / 40);
    }
    return admitted;
  }

  @Test
  void aRefusalMakesItsBucketWantedOnce() {
    QuotaSpec quota = perTenant("api", 1, 1);
    Boot boot = full(quota);
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
    assertThat(boot.wanted).isEmpty();
    for (int i = 0; i < 5; i++) {
      assertThat(boot.ask("acme", 1).allowed()).isFalse();
    }
    assertThat(boot.wanted).singleElement().hasToString("shop/api{tenant=acme}");
    ((KeyBucket) boot.bucket(quota, "acme")).taken();
    assertThat(boot.ask("acme", 1).allowed()).isFalse();
    assertThat(boot.wanted).hasSize(2);
  }

  @Test
  void aWideFloorIsWantedBeforeItIsEmpty() {
    Boot boot = full(perTenant("api", 1, 20));
    for (int i = 0; i < 15; i++) {
      assertThat(boot.ask("acme", 1).allowed()).isTrue();
    }
    assertThat(boot.wanted).isEmpty();
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
    assertThat(boot.wanted).hasSize(1);
  }

  /** C22. */
  @Test
  void keysBeyondTheCapShareOneBucketAndAreNeverUnlimited() {
    QuotaSpec quota = perTenant("api", 10, 20);
    Boot boot = new Boot(1_000, book(quota));
    boot.wholeFloor(quota);
    boot.fill();
    int admitted = 0;
    int overflowed = 0;
    for (int i = 0; i < 10_000; i++) {
      Decision decision = boot.ask("t" + i, 1);
      admitted += decision.allowed() ? 1 : 0;
      overflowed += decision.reason() == Reason.OVERFLOW ? 1 : 0;
    }
    // One each for those with a bucket; the shared one begins empty.
    assertThat(admitted).isEqualTo(1_000);
    assertThat(overflowed).isEqualTo(9_000);
    assertThat(boot.life.keyCount()).isEqualTo(1_000);
    assertThat(counters(boot, quota).refused(Reason.OVERFLOW)).isEqualTo(9_000);
    assertThat(boot.wanted).singleElement().hasToString("shop/api");

    boot.clock.advance(SECOND_NANOS);
    boot.heard();
    for (int i = 2_000; i < 2_100; i++) {
      admitted += boot.ask("t" + i, 1).allowed() ? 1 : 0;
    }
    assertThat(admitted).as("one second of the shared bucket").isEqualTo(1_010);
  }

  @Test
  void aKeyThatLeavesTheSharedBucketStartsEmpty() {
    QuotaSpec quota = perTenant("api", 10, 20);
    Boot boot = new Boot(1, book(quota));
    boot.wholeFloor(quota);
    boot.fill();
    assertThat(boot.ask("first", 1).allowed()).isTrue();
    assertThat(boot.ask("second", 1).reason()).isEqualTo(Reason.OVERFLOW);
    boot.clock.advance(2 * SECOND_NANOS);
    boot.heard();
    assertThat(boot.ask("second", 1).quotas().get(0).remainingMicros())
        .isEqualTo(Tokens.micros(19));
    boot.clock.advance(TENTH_NANOS);
    boot.life.sweep(boot.now()); // the first is full again and makes room
    Decision alone = boot.ask("second", 1);
    assertThat(alone.quotas().get(0).remainingMicros())
        .as("a tenth of a second, less this request")
        .isZero();
  }

  @Test
  void fullBucketsAreForgottenAndLeasedOnesAreNot() {
    QuotaSpec quota = perTenant("api", 10, 20);
    Boot boot = full(quota);
    for (int i = 0; i < 100; i++) {
      assertThat(boot.ask("t" + i, 1).allowed()).isTrue();
    }
    assertThat(boot.ask("leased", 1).allowed()).isTrue();
    boot.lease(quota, "leased", 20, 40, 40, 10_000 * SECOND_NANOS);
    boot.life.sweep(boot.now());
    assertThat(boot.life.keyCount()).isEqualTo(101);

    boot.clock.advance(60 * SECOND_NANOS);
    boot.heard();
    boot.life.sweep(boot.now());

    assertThat(boot.life.keyCount()).isEqualTo(1);
    assertThat(boot.ask("t1", 1).quotas().get(0).remainingMicros()).isEqualTo(Tokens.micros(19));
  }

  /** S11: also for a key whose lease has run out, and that nobody reports any more. */
  @Test
  void aNewFloorHoldsForEveryKeyFromTheMomentItIsSet() {
    QuotaSpec quota = perTenant("api", 100, 100);
    Boot boot = full(quota);
    assertThat(boot.ask("plain", 1).allowed()).isTrue();
    assertThat(boot.ask("leased", 1).allowed()).isTrue();
    boot.lease(quota, "leased", 200, 200, 100, SECOND_NANOS);
    boot.clock.advance(10 * SECOND_NANOS);
    boot.heard();

    boot.floor(quota, Rate.perSecond(1), Tokens.micros(2));

    for (String tenant : List.of("plain", "leased", "fresh")) {
      assertThat(boot.ask(tenant, 1).quotas().get(0).remainingMicros())
          .as(tenant)
          .isEqualTo(Tokens.micros(1));
    }
  }

  @Test
  void afterTheEndOfABootNoBucketOfItAdmits() {
    QuotaSpec quota = perTenant("api", 100, 100);
    Boot boot = full(quota);
    assertThat(boot.ask("known", 1).allowed()).isTrue();
    boot.lease(quota, "known", 200, 200, 100, 1_000 * SECOND_NANOS);
    boot.life.end(Reason.FENCED);
    assertThat(boot.ask("known", 1).reason()).isEqualTo(Reason.FENCED);
    assertThat(boot.ask("fresh", 1).reason()).isEqualTo(Reason.FENCED);
    boot.clock.advance(1_000 * SECOND_NANOS);
    assertThat(boot.ask("known", 1).reason()).isEqualTo(Reason.FENCED);
  }

  // ------------------------------------------------------------------------------ helpers

  /** A boot whose keys hold their whole quota as their floor, and are full. */
  private static Boot full(QuotaSpec... quotas) {
    return full(Rules.ALL, quotas);
  }

  private static Boot full(Rules rules, QuotaSpec... quotas) {
    Boot boot = new Boot(rules, quotas);
    for (QuotaSpec quota : quotas) {
      boot.wholeFloor(quota);
    }
    boot.fill();
    return boot;
  }

  /** A boot in which one tenant, acme, holds the whole quota as a lease. */
  private static Boot leased(QuotaSpec quota) {
    Boot boot = new Boot(quota);
    boot.heard();
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.NO_LEASE);
    long tokens = quota.burstMicros() / Tokens.MICROS_PER_TOKEN;
    boot.lease(quota, "acme", tokens, tokens, tokens, 1_000 * SECOND_NANOS);
    return boot;
  }

  private static QuotaCounters counters(Boot boot, QuotaSpec quota) {
    return Objects.requireNonNull(boot.counters.get(quota.id()));
  }

  private static QuotaId id(String name) {
    return new QuotaId("shop", name);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
