package dev.weir.sim.scene;

import static dev.weir.sim.scene.Scene.share;

import dev.weir.core.Rules;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.lease.RegionTerms;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.OfferId;
import dev.weir.core.quota.Share;
import java.util.Map;

/**
 * Built timelines around one ledger, each of which admits more than the bound when one clause of
 * the rules is dropped and chance would hardly find it. Each returns by how many tokens the worst
 * window was over, not positive where the bound held.
 */
public final class LedgerSchedules {
  private static final OfferId FIRST = new OfferId(1, 1);

  private LedgerSchedules() {}

  private static Scene scene(double rate, double burst, Rules rules) {
    return Scene.of(Scene.terms(share(rate, burst), Share.ZERO, "a", "c"), rules).nextOffer(100);
  }

  /** The same terms, but half of the quota is reserved for floors. */
  private static LedgerTerms floors(LedgerTerms terms, Map<String, RegionTerms> regions) {
    return new LedgerTerms(
        terms.whole(),
        terms.perNanos(),
        terms.maxCostMicros(),
        terms.ttlNanos(),
        terms.longestTtlNanos(),
        share(50, 50),
        regions,
        terms.timing(),
        0);
  }

  /** H2: an answer is lost, the bucket fills and is spent, and only then asks again. */
  public static double lostAnswerThenFullThenSpent(Rules rules) {
    Scene scene = scene(200, 200, rules).at(5_000);
    Share ofA = share(80, 80);
    HonestAgent a = scene.agent("a").holding(ofA, 80, FIRST, 15_000);
    HonestAgent c = scene.agent("c").holding(share(40, 80), 80, FIRST, 15_000);
    scene.account(a, 15_000, 80);
    scene.account(c, 15_000, 40);
    scene.pool(Scene.micros(40));

    a.spend(40);
    scene.take(a.ask(80), ofA, 40, 15_000);
    scene.at(5_490);
    a.spend(79);
    c.spend(80);
    scene.spendFromPool(39);
    scene.at(5_500);
    a.ask(80);
    scene.at(5_980).spendFromPool(40);
    scene.at(6_000);
    scene.take(a.ask(0));
    scene.spendEverything();
    return scene.overBy();
  }

  /** The like, but the request took so long that its bucket was full again when the offer left. */
  public static double slowRequestLostAnswer(Rules rules) {
    Scene scene = scene(1_080, 200, rules).at(5_000);
    Share ofA = share(80, 80);
    HonestAgent a = scene.agent("a").holding(ofA, 0, FIRST, 15_000);
    HonestAgent c = scene.agent("c").holding(share(0, 80), 80, FIRST, 15_000);
    scene.account(a, 15_000, 80);
    scene.account(c, 15_000, 0);
    scene.pool(Scene.micros(40));

    HonestAgent.Question slow = a.ask(80);
    scene.at(5_980);
    scene.take(slow, ofA, 40, 15_000);
    scene.at(6_030).spendEverything();
    scene.at(6_040);
    scene.take(a.ask(0));
    scene.spendEverything();
    return scene.overBy();
  }

  /** N2: the request that shows the loss is five seconds on its way. */
  public static double lostAnswerShownByASlowRequest(Rules rules) {
    Scene scene = scene(20, 200, rules).at(30_500);
    Share ofA = share(8, 80);
    HonestAgent a = scene.agent("a").holding(ofA, 80, FIRST, 60_000);
    HonestAgent c = scene.agent("c").holding(share(4, 80), 80, FIRST, 60_000);
    scene.account(a, 60_000, 8);
    scene.account(c, 60_000, 4);
    scene.pool(Scene.micros(40));

    a.spend(40);
    scene.take(a.ask(8), ofA, 40, 60_000);
    scene.at(31_000);
    HonestAgent.Question slow = a.ask(0);
    scene.at(35_990).spendEverything();
    scene.at(36_000);
    scene.take(slow);
    scene.spendEverything();
    return scene.overBy();
  }

  /** The same, but the lease it filled at has run out when the request arrives. */
  public static double lostAnswerShownAfterItsLeaseRanOut(Rules rules) {
    Scene scene = scene(20, 200, rules).at(30_500);
    HonestAgent a = scene.agent("a").holding(share(8, 80), 80, FIRST, 35_995);
    HonestAgent c = scene.agent("c").holding(share(4, 80), 80, FIRST, 60_000);
    scene.account(a, 35_996, 8);
    scene.account(c, 60_000, 4);
    scene.pool(Scene.micros(40));

    a.spend(40);
    scene.take(a.ask(8), share(1, 80), 40, 60_000);
    scene.at(31_000);
    HonestAgent.Question slow = a.ask(0);
    scene.at(35_990).spendEverything();
    scene.at(36_000);
    scene.take(slow);
    scene.spendEverything();
    return scene.overBy();
  }

  /** A new ledger does not know when the offer of the old one, which the agent names, was sent. */
  public static double lostAnswerOfANewLedger(Rules rules) {
    // Zero, which an instant that was never set would be, is when the request arrives.
    long start = -36 * Scene.SECOND_NANOS;
    Scene scene =
        Scene.of(Scene.terms(share(20, 200), Share.ZERO, "a", "c"), rules, start)
            .nextOffer(100)
            .at(30_500);
    Share ofA = share(8, 80);
    HonestAgent a = scene.agent("a").holding(ofA, 80, FIRST, 60_000);
    HonestAgent c = scene.agent("c").holding(share(4, 80), 80, FIRST, 60_000);
    scene.loseLedger(0, Scene.micros(40));
    scene.take(a.ask(8), ofA, 0, 60_000);
    scene.take(c.ask(4), share(4, 80), 0, 60_000);
    scene.pool(Scene.micros(40));
    a.spend(40);
    scene.take(a.ask(8), ofA, 40, 60_000);
    scene.at(31_000);
    HonestAgent.Question slow = a.ask(0);
    scene.at(35_990).spendEverything();
    scene.at(36_000);
    scene.take(slow);
    scene.spendEverything();
    return scene.overBy();
  }

  /** H3: a late copy of an old request opens the ledger's books; the real one follows. */
  public static double anOldTotalThenTheRealOne(Rules rules) {
    Scene scene = scene(200, 200, rules);
    HonestAgent a = scene.agent("a").holding(share(150, 150), 150, FIRST, 15_000);
    HonestAgent c = scene.agent("c");
    HonestAgent.Question old = a.ask(1_000);
    scene.at(500);
    a.giveUpTo(share(10, 10));
    c.holding(share(190, 190), 190, FIRST, 15_000);
    scene.at(1_000).loseLedger(0, 0);
    scene.at(1_010);
    scene.take(old);
    scene.at(1_020);
    scene.take(a.ask(0));
    scene.spendEverything();
    return scene.overBy();
  }

  /** H3, likewise: a holder gave back, expired and was forgotten; its old request is late. */
  public static double aForgottenHolderReturnsWithAnOldTotal(Rules rules) {
    Scene scene = scene(1, 200, rules);
    HonestAgent a = scene.agent("a").holding(share(0.7, 150), 150, FIRST, 2_000);
    HonestAgent c = scene.agent("c").holding(share(0.2, 40), 40, FIRST, 15_000);
    scene.account(a, 2_050, 1);
    scene.account(c, 15_000, 1);
    HonestAgent.Question old = a.ask(1);
    scene.at(500);
    a.giveUpTo(share(0.1, 10));
    scene.take(a.ask(1));
    // Who has been silent for as long as a lease can last is forgotten when another one asks.
    scene.at(4_900).spendEverything();
    scene.take(c.ask(1));
    scene.at(5_010);
    scene.take(old);
    scene.at(5_020);
    scene.take(a.ask(1));
    scene.spendEverything();
    return scene.overBy();
  }

  /** C17: what the pool has made once its clock has jumped to and fro by a second. */
  public static double aClockThatJumps(Rules rules) {
    Scene scene = scene(1, 5, rules).at(10_000);
    scene.spendFromPool(5);
    for (int i = 0; i < 100; i++) {
      scene.at(10_000 - i % 2 * 1_000).adopted();
    }
    return scene.adopted().pool().levelMicros() / 1e6;
  }

  /** N1: what was given back is told only after the burst it came from had expired and refilled. */
  public static double givenBackButToldLate(Rules rules) {
    Scene scene = scene(200, 200, rules).at(5_900);
    HonestAgent a = scene.agent("a").holding(share(140, 140), 140, FIRST, 7_900);
    scene.account(a, 6_050, 10);
    BucketOffer shrink = scene.take(a.ask(10), share(10, 10), 0, 7_950);
    a.hear(1, scene.nowNanos(), shrink);
    scene.at(7_800).spendEverything();
    scene.at(7_810);
    scene.take(a.ask(0));
    scene.spendEverything();
    return scene.overBy();
  }

  /** H11a: the new ledger numbers its offers from 1 again, and the agent names an old one. */
  public static double anOldNumberOfAnotherAuthority(Rules rules) {
    Scene scene = scene(200, 200, rules);
    HonestAgent a = scene.agent("a").holding(share(150, 150), 150, new OfferId(1, 7), 15_000);
    HonestAgent c = scene.agent("c");
    HonestAgent.Question old = a.ask(1_000);
    scene.at(500);
    a.giveUpTo(share(10, 10));
    c.holding(share(190, 190), 190, FIRST, 15_000);
    scene.at(1_000).loseLedger(0, 0);
    scene.nextOffer(1);
    scene.at(1_010);
    scene.take(old);
    scene.at(1_020);
    scene.take(a.ask(0));
    scene.spendEverything();
    return scene.overBy();
  }

  /** L1: by how much less than everything a region gets while the other one is not reached. */
  public static double oneRegionIsNotReached(Rules rules) {
    Scene scene = scene(100, 100, rules);
    HonestAgent a = scene.agent("a");
    HonestAgent c = scene.agent("c");
    for (int millis = 0; millis < 2_000; millis += 100) {
      scene.at(millis);
      scene.exchange(a, 100);
      scene.exchange(c, 100);
    }
    for (int millis = 2_000; millis < 12_000; millis += 100) {
      scene.at(millis);
      scene.take(a.ask(100));
      scene.exchange(c, 100);
    }
    return 100 - c.lease().rateMicros() / 1e6;
  }

  /**
   * H4b, without loans: the floors grow while the coordinator is down; a lease that does not leave
   * room for them is confirmed just before learning ends, and its holder is cut off. By how much
   * rates in force are over.
   */
  public static double confirmedWithoutRoomForFloors(Rules rules) {
    Share small = share(5, 5);
    Share large = share(25, 25);
    LedgerTerms before = Scene.terms(share(100, 100), small, "a", "c");
    Scene scene = Scene.of(before, rules).nextOffer(100);
    HonestAgent a = scene.agent("a").holding(share(90, 90), 0, FIRST, 2_900);
    HonestAgent c = scene.agent("c");
    scene.at(1_000).change(floors(before, before.regions()));
    scene.loseLedger(2_054, 0);
    scene.at(2_800);
    scene.exchange(a, 90);
    scene.at(3_200);
    scene.change(
        floors(
            before,
            Map.of(
                "a", new RegionTerms(1, small, small, 1, false),
                "c", new RegionTerms(1, large, large, 1, false))));
    scene.exchange(c, 90);
    return a.share().plus(c.share()).rateMicros() / 1e6 - 100;
  }

  /** H5: a lease of 60 s outlives a restart with 5 s leases. By how much rates are over. */
  public static double leaseFromWhenLeasesWereLonger(Rules rules) {
    DeskScene desk = new DeskScene(1_000, 1_000, 0, rules);
    desk.quota(desk.quota().withLease(DeskScene.lease(60, 0)));
    desk.regions("a", "c");
    desk.at(1).quota(desk.quota().withLease(DeskScene.lease(5, 0)));
    desk.at(2).restart(Desk.Start.AGAIN, Map.of());

    Scene scene = Scene.of(desk.terms(), rules).nextOffer(100).at(2_000);
    HonestAgent cutOff = scene.agent("a").holding(share(900, 900), 0, FIRST, 60_000);
    HonestAgent c = scene.agent("c");
    scene.begin(desk.desk.authority(DeskScene.QUOTA));
    double over = 0;
    for (int millis = 2_000; millis < 70_000; millis += 500) {
      scene.at(millis);
      scene.exchange(c, 1_000);
      over = Math.max(over, cutOff.lease().plus(c.lease()).rateMicros() / 1e6 - 1_000);
    }
    return over;
  }

  /**
   * A request of a process that is long dead arrives late, when the floors are free. How many times
   * the next process is refused them.
   */
  public static double aDeadProcessTakesTheFloors(Rules rules) {
    DeskScene desk = new DeskScene(1_000, 200, 100_000, rules);
    desk.regions("a", "c");
    desk.asks("a", "newer", 2);
    desk.leaves("a", "newer", 2);
    desk.at(1).asksInVain("a", "dead", 1);
    desk.at(2).asks("a", "next", 4);
    return desk.floorOf("next", 4).isZero() ? 1 : 0;
  }

  /**
   * N9: a floor is good for a day, its holder's clock is slow and the coordinator's is fast. How
   * many tokens its next holder makes while the one before still uses it.
   */
  public static double aFloorPassesOnTooEarly(Rules rules) {
    double rho = 0.0005;
    DeskScene desk = new DeskScene(1_000, 200, 100_000, rules);
    desk.floorTtl(86_400);
    desk.regions("a", "c");
    desk.asks("a", "before", 1);
    double stops = 86_400 / (1 - rho);
    for (int second = 86_400; second < 86_600; second++) {
      desk.at(second).asks("a", "next", 2);
      if (!desk.floorOf("next", 2).isZero()) {
        double begins = second / (1 + rho);
        return (stops - begins) * desk.floorOf("next", 2).rateMicros() / 1e6;
      }
    }
    throw new AssertionError("it never passed on");
  }

  /** N4: floors of 60, 10 and 12 % while a region is cut off. By how much all rates are over. */
  public static double aFirstFloorForgotten(Rules rules) {
    DeskScene desk = new DeskScene(1_000, 200, 600_000, rules);
    desk.regions("a", "c");
    for (int i = 0; i < 2; i++) {
      desk.asks("a", "fa", 1);
      desk.asks("c", "fc", 1);
    }
    desk.at(10).floors(100_000);
    desk.asksInVain("a", "fa", 1);
    desk.at(20).floors(120_000);
    desk.asksInVain("a", "fa", 1);
    for (int i = 1; i < 5; i++) {
      desk.at(20 + i).asks("c", "fc", 1);
    }
    return desk.leasable().plus(desk.floorsInUse()).rateMicros() / 1e6 - 1_000;
  }
}
