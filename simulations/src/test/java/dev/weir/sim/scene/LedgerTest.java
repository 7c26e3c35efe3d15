package dev.weir.sim.scene;

import static dev.weir.sim.scene.Scene.micros;
import static dev.weir.sim.scene.Scene.share;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.lease.LedgerStep;
import dev.weir.core.lease.Mark;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.OfferId;
import dev.weir.core.quota.Share;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final Share WHOLE = share(100, 100);

  private static Scene scene(Share floorEach) {
    return scene(floorEach, Rules.ALL);
  }

  private static Scene scene(Share floorEach, Rules rules) {
    return Scene.of(Scene.terms(WHOLE, floorEach, "eu", "us", "ap"), rules);
  }

  @Test
  void anOldRequestThatArrivesAfterARecallDoesNotUndoIt() {
    Scene scene = scene(Share.ZERO);
    HonestAgent eu = scene.agent("eu").holding(share(80, 80), 80, new OfferId(1, 1), 2_000);
    HonestAgent us = scene.agent("us");
    scene.account(eu, 2_050, 80);

    scene.at(100);
    HonestAgent.Question late = eu.ask(80);
    scene.at(200);
    scene.exchange(us, 90);
    long newer = eu.askNothing();
    LedgerStep recall = scene.recall(eu, newer);
    eu.hear(newer, scene.nowNanos(), recall.offer());

    scene.at(300);
    scene.exchange(scene.agent("ap"), 90);
    scene.take(late);
    assertThat(eu.lease()).isEqualTo(Objects.requireNonNull(recall.offer()).share());
    // Everything it holds stays accounted for as long as it holds it.
    for (int millis = 300; millis < 2_250; millis += 10) {
      scene.at(millis);
      assertThat(eu.lease().fitsIn(scene.accounted(eu))).isTrue();
    }
  }

  @Test
  void aLeaseGivenByALargerQuotaCountsInFullWhenTheQuotaShrinksAndGrowsAgain() {
    Scene scene = scene(Share.ZERO);
    HonestAgent eu = scene.agent("eu").holding(share(80, 80), 80, new OfferId(1, 1), 2_000);
    scene.account(eu, 2_050, 80);
    scene.at(10).change(Scene.terms(share(10, 10), Share.ZERO, "eu", "us", "ap"));
    HonestAgent.Question said = eu.ask(80);
    scene.take(said);
    scene.at(20).change(Scene.terms(WHOLE, Share.ZERO, "eu", "us", "ap"));
    // The answer that shrinks it is lost, and it goes on with 80.
    assertThat(scene.accounted(eu)).isEqualTo(share(80, 80));
    assertThat(scene.truth(0)).isEmpty();
  }

  @Test
  void ofASlowBucketAllAgentsTogetherNeverHoldMostOfWhatIsLeft() {
    Scene scene = Scene.of(Scene.terms(share(0.01, 900), Share.ZERO, "eu", "us", "ap"), Rules.ALL);
    HonestAgent first = scene.agent("eu");
    scene.exchange(first, 100);
    assertThat(first.levelMicros()).isLessThanOrEqualTo(micros(450));
    scene.agent("us");
    scene.agent("ap");
    for (int millis = 1_000; millis < 8_000; millis += 100) {
      scene.at(millis);
      long held = 0;
      for (HonestAgent agent : scene.agents) {
        agent.spend(3);
        scene.exchange(agent, 100);
        held += agent.levelMicros();
      }
      if (millis >= 1_500) {
        assertThat(held).isLessThanOrEqualTo(scene.ledger.pool().levelMicros() + micros(3));
      }
    }
  }

  /** Others are told at their next request only: asking again at once finds it free sooner. */
  @Test
  void whoIsFarFromItsPartAsksAgainAtOnceWhileOthersAreToGiveUp() {
    Scene scene = scene(Share.ZERO);
    HonestAgent eu = scene.agent("eu");
    HonestAgent us = scene.agent("us");
    scene.exchange(eu, 150);
    scene.at(100);
    assertThat(Objects.requireNonNull(scene.exchange(us, 150).offer()).confirm()).isTrue();
    scene.at(120);
    scene.exchange(eu, 150);
    scene.at(140);
    scene.exchange(eu, 150);
    BucketOffer half = Objects.requireNonNull(scene.exchange(us, 150).offer());
    assertThat(half.share().rateMicros()).isEqualTo(micros(50));
    assertThat(half.confirm()).isFalse();
  }

  @Test
  void whatIsGivenUpIsNotPressedOnItsHolderAgain() {
    Scene scene = scene(Share.ZERO);
    HonestAgent eu = scene.agent("eu");
    scene.exchange(eu, 150);
    scene.at(100);
    eu.giveUpTo(share(20, 20));
    BucketOffer offer = Objects.requireNonNull(scene.exchange(eu, 18).offer());
    assertThat(offer.share()).isEqualTo(share(20, 20));
    scene.at(120);
    BucketOffer more = Objects.requireNonNull(scene.exchange(eu, 150).offer());
    assertThat(more.share()).isEqualTo(WHOLE);
  }

  // ------------------------------------------------------------------------------ cases

  /** C1. */
  @Test
  void aRenewalAddsNoToken() {
    Scene scene = scene(Share.ZERO);
    HonestAgent eu = scene.agent("eu");
    long admitted = 0;
    for (int millis = 0; millis <= 10_000; millis += 100) {
      scene.at(millis);
      scene.exchange(eu, 500);
      admitted += eu.spendAll();
    }
    assertThat(admitted).isBetween(micros(1_090), micros(1_100));
    assertThat(scene.overBy()).isLessThanOrEqualTo(0);
  }

  /** C2. */
  @Test
  void aQuotaThatGoesToAndFroMakesNoToken() {
    // Half of the time at 100 and half of it at 101, after the burst.
    assertThat(spentWhileTheQuotaFlaps(Rules.ALL)).isEqualTo(micros(100 + 10 * 100.5));
    assertThat(spentWhileTheQuotaFlaps(Rules.without(Clause.S11_GROWTH_IS_EMPTY)))
        .isEqualTo(micros(100 + 50 * 101 + 50 * 100));
  }

  private static long spentWhileTheQuotaFlaps(Rules rules) {
    Scene scene = scene(Share.ZERO, rules);
    scene.spendFromPool(100);
    for (int i = 1; i <= 100; i++) {
      scene.at(i * 100).change(Scene.terms(share(100 + i % 2, 100 + i % 2), Share.ZERO, "eu"));
      scene.adopted();
      scene.spendFromPool(1_000);
    }
    return scene.judge.totalMicros();
  }

  /** C3. That the agent's half keeps to the same is in {@code FleetTest}. */
  @Test
  void aLeaseCountsUntilItsLastRenewalAndOneTimeToLiveAndTheGuard() {
    Scene scene = renewedForTenSeconds(Rules.ALL);
    assertThat(scene.accounted(scene.agents.get(0))).isEqualTo(WHOLE);
    scene.at(12_060);
    assertThat(scene.accounted(scene.agents.get(0))).isEqualTo(Share.ZERO);

    Scene without = renewedForTenSeconds(Rules.without(Clause.S6_GUARD));
    assertThat(without.accounted(without.agents.get(0))).isEqualTo(Share.ZERO);
  }

  /** When its holder's lease has just ended, and what is on its way may still be admitted. */
  private static Scene renewedForTenSeconds(Rules rules) {
    Scene scene = scene(Share.ZERO, rules);
    HonestAgent eu = scene.agent("eu");
    for (int millis = 0; millis <= 10_000; millis += 500) {
      scene.at(millis);
      scene.exchange(eu, 100);
    }
    scene.at(11_999);
    assertThat(eu.lease()).isEqualTo(WHOLE);
    scene.at(12_000);
    assertThat(eu.lease()).isEqualTo(Share.ZERO);
    return scene;
  }

  /** C4. */
  @Test
  void tenRequestsOfOneAgentWithinTenMillisecondsTakeNoMoreThanThereIs() {
    assertThat(spentByTenRequests(WHOLE, Rules.ALL)).isBetween(micros(100), micros(101));
    // Of a slow bucket each request gets a part, so that the next one could take the same again.
    Share slow = share(0.01, 100);
    assertThat(spentByTenRequests(slow, Rules.ALL)).isBetween(micros(90), micros(100.001));
    assertThat(spentByTenRequests(slow, Rules.without(Clause.S4_TOKENS_LEAVE_THE_POOL)))
        .isGreaterThan(micros(200));
  }

  private static long spentByTenRequests(Share whole, Rules rules) {
    Scene scene = Scene.of(Scene.terms(whole, Share.ZERO, "eu"), rules);
    HonestAgent eu = scene.agent("eu");
    long spent = 0;
    for (int i = 0; i < 10; i++) {
      scene.at(5_000 + i);
      scene.exchange(eu, 100);
      spent += eu.spendAll();
    }
    return spent;
  }

  /** C9. */
  @Test
  void whenTheQuotaIsCutToATenthBothShrinkAndNothingNewIsGivenUntilItFits() {
    assertThat(inForceOnceCutToATenth(Rules.ALL)).isEqualTo(micros(10));
    assertThat(inForceOnceCutToATenth(Rules.without(Clause.S2_OFFER_ONLY_WHAT_IS_FREE)))
        .isGreaterThan(micros(10));
  }

  /** The rates leased half a second later. */
  private static long inForceOnceCutToATenth(Rules rules) {
    Scene scene = scene(Share.ZERO, rules);
    HonestAgent eu = scene.agent("eu").holding(share(50, 50), 50, new OfferId(1, 1), 2_000);
    HonestAgent us = scene.agent("us").holding(share(50, 50), 50, new OfferId(1, 2), 2_000);
    scene.nextOffer(10);
    scene.account(eu, 2_050, 50);
    scene.account(us, 2_050, 50);
    Share tenth = share(10, 10);
    scene.at(10).change(Scene.terms(tenth, Share.ZERO, "eu", "us", "ap"));
    HonestAgent ap = scene.agent("ap");
    for (int millis = 20; millis < 500; millis += 20) {
      scene.at(millis);
      Share before = eu.lease().plus(us.lease()).plus(ap.lease());
      scene.exchange(ap, 50);
      scene.exchange(eu, 50);
      scene.exchange(us, 50);
      Share after = eu.lease().plus(us.lease()).plus(ap.lease());
      if (rules.equals(Rules.ALL)) {
        assertThat(after.fitsIn(before.max(tenth))).isTrue();
      }
      assertThat(scene.poolMicros()).isLessThanOrEqualTo(micros(10));
    }
    return eu.lease().plus(us.lease()).plus(ap.lease()).rateMicros();
  }

  /** C10. */
  @Test
  void aDeclarationOfNonsenseIsConfirmedUpToTheQuotaAndStarvesTheOthersForOneTimeToLiveAtMost() {
    Scene scene = scene(Share.ZERO);
    scene.at(1_000).loseLedger(2_052, 0);
    HonestAgent us = scene.agent("us");
    HonestAgent liar = scene.agent("eu").holding(share(1e9, 1e9), 0, new OfferId(9, 9), 2_000);
    LedgerStep step = scene.take(liar.ask(1e9));
    assertThat(Objects.requireNonNull(step.offer()).share().fitsIn(WHOLE)).isTrue();
    assertThat(step.warning()).contains("more than");
    scene.at(5_200);
    scene.exchange(us, 100);
    assertThat(us.lease()).isEqualTo(WHOLE);
  }

  /** C10, in a quota with floors: they may be in use, whatever an agent declares. */
  @Test
  void aDeclarationOfNonsenseIsConfirmedUpToTheQuotaLessAllFloors() {
    assertThat(confirmedOfNonsense(Rules.ALL)).isEqualTo(share(70, 70));
    assertThat(confirmedOfNonsense(Rules.without(Clause.S9_CONFIRM_LESS_FLOORS))).isEqualTo(WHOLE);
  }

  private static Share confirmedOfNonsense(Rules rules) {
    Scene scene = scene(share(10, 10), rules);
    scene.at(1_000).loseLedger(2_052, 0);
    HonestAgent liar = scene.agent("eu").holding(share(1e9, 1e9), 0, new OfferId(9, 9), 2_000);
    return Objects.requireNonNull(scene.take(liar.ask(1e9)).offer()).share();
  }

  /** C23: 10 an hour, 10 admitted, then 20 an hour with a burst of 20, and back, and again. */
  @Test
  void raisingAQuotaAdmitsNothingAtOnceAndTogglingItMakesNoToken() {
    assertThat(admittedOnceToggled(Rules.ALL)).isLessThanOrEqualTo(micros(10.1));
    assertThat(admittedOnceToggled(Rules.without(Clause.S11_GROWTH_IS_EMPTY)))
        .isGreaterThan(micros(20));
  }

  private static long admittedOnceToggled(Rules rules) {
    double hourly = 10.0 / 3_600;
    Scene scene = Scene.of(Scene.terms(share(hourly, 10), Share.ZERO, "eu"), rules);
    HonestAgent eu = scene.agent("eu");
    long admitted = 0;
    for (int i = 0; i < 20; i++) {
      scene.at(i * 100);
      scene.exchange(eu, 50);
      admitted += eu.spendAll();
    }
    assertThat(admitted).isBetween(micros(9.9), micros(10.1));
    for (int i = 0; i < 20; i++) {
      scene.at(2_000 + i * 100);
      double factor = 2 - i % 2;
      scene.change(Scene.terms(share(factor * hourly, factor * 10), Share.ZERO, "eu"));
      scene.exchange(eu, 50);
      admitted += eu.spendAll();
    }
    return admitted;
  }

  /** C24. */
  @Test
  void theSameQuotaAgainRefillsNothingAndASmallerBurstCountsAtOnce() {
    Scene scene = appliedFiveTimes(Rules.ALL);
    assertThat(scene.poolMicros()).isEqualTo(micros(40 + 0.5));
    scene.at(2_000).change(Scene.terms(share(100, 10), Share.ZERO, "eu"));
    assertThat(scene.adopted().pool().levelMicros()).isEqualTo(micros(10));

    Rules without = Rules.without(Clause.S11_GROWTH_IS_EMPTY);
    assertThat(appliedFiveTimes(without).poolMicros()).isEqualTo(micros(100));
  }

  /** 40 of 100 are left, and five milliseconds pass. */
  private static Scene appliedFiveTimes(Rules rules) {
    Scene scene = scene(Share.ZERO, rules);
    scene.at(0).spendFromPool(60);
    for (int i = 1; i <= 5; i++) {
      scene.at(i).change(Scene.terms(WHOLE, Share.ZERO, "eu", "us", "ap"));
      scene.adopted();
    }
    return scene;
  }

  /** C25: 10 per 20 s become 1,000 per 20 s after 10 s: five tokens, then fifty a second. */
  @Test
  void timeBeforeAChangeIsPricedAtTheOldRateAndTimeAfterItAtTheNew() {
    assertThat(madeInElevenSeconds(Rules.ALL)).isEqualTo(micros(5 + 50));
    assertThat(madeInElevenSeconds(Rules.without(Clause.S11_NO_REPRICING)))
        .isEqualTo(micros(11 * 50));
  }

  private static long madeInElevenSeconds(Rules rules) {
    Scene scene = Scene.of(Scene.terms(share(0.5, 1_000), Share.ZERO, "eu"), rules);
    scene.at(0).spendFromPool(1_000);
    scene.at(10_000).change(Scene.terms(share(50, 1_000), Share.ZERO, "eu"));
    scene.at(11_000);
    return scene.adopted().pool().levelMicros();
  }

  /** L1. */
  @Test
  void theShareOfAnAgentThatIsNotReachedGoesToTheOthersAndComesBackWhenItIs() {
    Scene scene = scene(Share.ZERO);
    HonestAgent eu = scene.agent("eu");
    HonestAgent us = scene.agent("us");
    for (int millis = 0; millis < 2_000; millis += 100) {
      scene.at(millis);
      scene.exchange(eu, 100);
      scene.exchange(us, 100);
    }
    assertThat(eu.lease().rateMicros()).isEqualTo(micros(50));
    for (int millis = 2_000; millis < 9_000; millis += 100) {
      scene.at(millis);
      scene.take(eu.ask(100));
      scene.exchange(us, 100);
    }
    assertThat(eu.lease()).isEqualTo(Share.ZERO);
    assertThat(us.lease()).isEqualTo(WHOLE);
    for (int millis = 9_000; millis < 10_000; millis += 100) {
      scene.at(millis);
      scene.exchange(eu, 100);
      scene.exchange(us, 100);
    }
    assertThat(eu.lease().rateMicros()).isEqualTo(micros(50));
  }

  @Test
  void theFirstOfferFromASlowPoolIsMarkedAlsoWhenThePoolIsEmpty() {
    Scene scene = Scene.of(Scene.terms(share(0.01, 10), Share.ZERO, "eu"), Rules.ALL);
    scene.loseLedger(0, 0);
    HonestAgent eu = scene.agent("eu");
    LedgerStep first = scene.take(eu.ask(1));
    assertThat(first.mark()).isEqualTo(new Mark(1, 0));
    assertThat(scene.take(eu.ask(1)).mark()).isNull();
  }

  /** Else a restart would take an old mark for what is left, although it was spent since. */
  @Test
  void aBucketThatIsNoLongerSlowUnsaysItsMarkBeforeItGivesMore() {
    Scene scene = Scene.of(Scene.terms(share(0.01, 10), Share.ZERO, "eu"), Rules.ALL);
    HonestAgent eu = scene.agent("eu");
    LedgerStep slow = scene.take(eu.ask(1));
    assertThat(Objects.requireNonNull(slow.mark()).levelMicros()).isPositive();
    scene.at(10).change(Scene.terms(share(10, 10), Share.ZERO, "eu"));
    LedgerStep fast = scene.take(eu.ask(1));
    assertThat(fast.mark()).isEqualTo(new Mark(slow.mark().number() + 1, 0));
    assertThat(scene.take(eu.ask(1)).mark()).isNull();
  }
}
