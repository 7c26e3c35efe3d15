package dev.weir.sim.fleet;

import static dev.weir.sim.fleet.Town.MILLIS;
import static dev.weir.sim.fleet.Town.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.bound.AdmissionBound;
import dev.weir.core.bound.BoundTerm;
import dev.weir.core.bound.ChangeTerms;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Whole fleets on a timeline: cases of the field, played. */
class FleetTest {
  private static final Region R0 = new Region("r0", 1);
  private static final Region R1 = new Region("r1", 1);
  private static final Region R2 = new Region("r2", 1);

  /** C6: ten regions at 100 a second each, a quota of 100, and the coordinator is killed. */
  @Test
  void withoutACoordinatorLeasesRunOutAndFloorsRemain() {
    Town town = withoutACoordinator(Rules.ALL);
    // At most the burst and ten seconds of leases, and then the floors, a tenth of the quota.
    assertThat(town.admitted()).isBetween(1_000L, 100L + 1_000L + 50L);
    town.count();
    town.fleet.runFor(20 * SECOND);
    assertThat(town.admitted()).isBetween(190L, 211L);
    assertThat(town.fleet.violations()).isEmpty();

    Town without = withoutACoordinator(Rules.without(Clause.S6_DECISION_CHECKS_EXPIRY));
    without.count();
    without.fleet.runFor(20 * SECOND);
    assertThat(without.admitted()).isGreaterThan(1_000);
  }

  /** The 15 seconds after the coordinator was killed. */
  private static Town withoutACoordinator(Rules rules) {
    String[] names = new String[10];
    for (int i = 0; i < names.length; i++) {
      names[i] = "r" + i;
    }
    Town town = new Town(6, 100, 100, 100_000, 4 * MILLIS, rules, names);
    for (String name : names) {
      town.traffic(name, nanos -> 100);
    }
    town.fleet.runFor(10 * SECOND);
    town.fleet.coordinator().crash();
    town.count();
    town.fleet.runFor(15 * SECOND);
    return town;
  }

  /** C3: renewed for 10 s, five times its time to live, and then cut off. */
  @Test
  void aLeaseIsGoodUntilOneTimeToLiveAfterItsLastRenewalWasAskedFor() {
    assertThat(leasedAtItsEnd(-MILLIS, Rules.ALL)).isTrue();
    assertThat(leasedAtItsEnd(0, Rules.ALL)).isFalse();
    assertThat(leasedAtItsEnd(0, Rules.without(Clause.S6_FROM_SENDING))).isTrue();
    assertThat(leasedAtItsEnd(0, Rules.without(Clause.S6_DECISION_CHECKS_EXPIRY))).isTrue();
  }

  /** Whether more than the floor is in force so long after the end of the lease. */
  private static boolean leasedAtItsEnd(long laterNanos, Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(100, 100, 100_000, 2), R0, R1);
    play.fleet.network().link("r0").delayNanos = 30 * MILLIS;
    play.greedy("r0");
    play.at(10.35).cut("r0").at(10.6);
    SimAgent agent = play.agent("r0");
    long askedAtNanos =
        play.fleet.time().nowNanos() - agent.edge().unheardNanos(agent.clock().nanos());
    play.fleet.runFor(askedAtNanos + 2 * SECOND + laterNanos - play.fleet.time().nowNanos());
    return agent.share(Timeline.BUCKET, SECOND).rateMicros() > 5_000_000;
  }

  /** C7: the coordinator is back after an hour. */
  @Test
  void afterAnHourWithoutACoordinatorLeasesAreThereWithinSeconds() {
    Town town = new Town(7, 100, 100, 100_000, 4 * MILLIS, "a", "b");
    town.fleet.checking(false);
    town.fleet.runFor(10 * SECOND);
    town.fleet.coordinator().crash();
    town.fleet.runFor(3_600 * SECOND);
    town.traffic("a", nanos -> 200);
    town.fleet.startCoordinator(Desk.Start.AGAIN, 0);
    // It learns for as long as an old lease can live, and then gives.
    town.fleet.runFor(11 * SECOND);
    town.count();
    town.fleet.runFor(10 * SECOND);
    assertThat(town.admitted()).isGreaterThan(900);
  }

  /** C8: a link is down for 10 s under load. */
  @Test
  void whatWasUsedWhileALinkWasDownIsCountedOnce() {
    Town town = new Town(8, 100, 100, 100_000, 4 * MILLIS, "a", "b");
    town.traffic("a", nanos -> 100);
    town.traffic("b", nanos -> 100);
    town.fleet.runFor(10 * SECOND);
    Network.Link link = town.fleet.network().link("a");
    link.upCut = true;
    link.downCut = true;
    town.fleet.runFor(10 * SECOND);
    link.upCut = false;
    link.downCut = false;
    town.fleet.runFor(5 * SECOND);
    town.count();
    town.fleet.runFor(20 * SECOND);
    assertThat(town.use()).isGreaterThan(0.99);
    assertThat(town.jain()).isGreaterThan(0.99);
    assertThat(town.fleet.violations()).isEmpty();
  }

  /**
   * A slow bucket of 200 is spent; long after, when no agent names it any more, the data is lost,
   * and the coordinator is restarted once more before the bucket can have filled.
   */
  private static Town lostAfterAllWasSpent(Rules rules) {
    Town town = new Town(10, 2, 200, 0, 4 * MILLIS, rules, "a", "b");
    AtomicBoolean asks = new AtomicBoolean(true);
    town.traffic("a", nanos -> asks.get() ? 100 : 0);
    town.fleet.runFor(15 * SECOND);
    asks.set(false);
    town.fleet.runFor(15 * SECOND);
    town.fleet.startCoordinator(Desk.Start.LOST_DATA, 10 * SECOND);
    town.fleet.runFor(20 * SECOND);
    town.fleet.coordinator().sweep();
    return town;
  }

  @Test
  void whatWasSpentBeforeDataWereLostIsNotThereAfterLaterStartsEither() {
    assertThat(spentAgain(Rules.ALL).fleet.violations()).isEmpty();
    assertThat(spentAgain(Rules.without(Clause.S9_KNOWN_LEVEL)).fleet.violations()).isNotEmpty();
  }

  private static Town spentAgain(Rules rules) {
    Town town = lostAfterAllWasSpent(rules);
    town.fleet.startCoordinator(Desk.Start.AGAIN, 0);
    town.traffic("b", nanos -> 100);
    town.fleet.runFor(40 * SECOND);
    return town;
  }

  @Test
  void whatFilledSinceDataWereLostIsThereAfterLaterStarts() {
    Town town = lostAfterAllWasSpent(Rules.ALL);
    town.fleet.runFor(100 * SECOND);
    town.fleet.coordinator().sweep();
    town.fleet.startCoordinator(Desk.Start.AGAIN, 0);
    town.traffic("b", nanos -> 100);
    town.fleet.runFor(11 * SECOND);
    town.count();
    town.fleet.runFor(15 * SECOND);
    // It found it full, and an agent gets half of what is left at a time; 30 were made meanwhile.
    assertThat(town.admitted()).isGreaterThan(100);
    assertThat(town.fleet.violations()).isEmpty();
  }

  /** Each sleep is shorter than the guard; together they are longer than a lease. */
  private static Town napping(Rules rules) {
    Town town = new Town(9, 100, 100, 0, 4 * MILLIS, rules, "a", "b");
    town.traffic("a", nanos -> 300);
    town.fleet.runFor(5 * SECOND);
    Network.Link link = town.fleet.network().link("a");
    link.upCut = true;
    link.downCut = true;
    town.traffic("b", nanos -> 300);
    for (int i = 0; i < 120; i++) {
      town.agent("a").sleep();
      town.fleet.runFor(40 * MILLIS);
      town.agent("a").goOn(true);
      town.fleet.runFor(60 * MILLIS);
    }
    return town;
  }

  /**
   * S7: what a machine that wakes spends before it notices is a term of the bound, and the term is
   * hardly larger than it must be.
   */
  @Test
  void aMachineThatWakesAddsWhatTheBoundSaysAndNoMore() {
    BoundTerm term = suspension();
    double tokens = term.onceMicros() / 1e6;
    assertThat(aMachineThatWakes(Rules.ALL).over()).isBetween(0.95 * tokens, tokens);
    assertThat(aMachineThatWakes(Rules.without(Clause.S7_SUSPENSION)).over())
        .isGreaterThan(2 * tokens);
  }

  private static final QuotaSpec HELD_WHOLE = Timeline.quota(100, 500, 0, 10);

  private static BoundTerm suspension() {
    AdmissionBound bound =
        AdmissionBound.of(
            HELD_WHOLE,
            List.of(R0, R1),
            LeaseTiming.DEFAULT.driftPpm(),
            LeaseTiming.DEFAULT.guardNanos());
    return bound.terms().stream()
        .filter(each -> each.cause().equals("machine-suspended"))
        .findFirst()
        .orElseThrow();
  }

  /**
   * It holds the whole quota, falls asleep and is cut off; its lease ends, the pool fills, and
   * another region spends all there is. It wakes just after its tick, and spends all it has until
   * it notices.
   */
  private static Timeline aMachineThatWakes(Rules rules) {
    Timeline play = new Timeline(rules, HELD_WHOLE, R0, R1);
    for (int millis = 2_000; millis < 10_000; millis += 5) {
      // More than there ever is: it is wanted and not taken.
      play.at(millis / 1_000.0).agent("r0").take(Timeline.BUCKET, SECOND);
    }
    play.cut("r0").agent("r0").sleep();
    play.at(30).greedy("r1");
    play.at(40.001).agent("r0").wake();
    return play.greedy("r0").at(55);
  }

  /**
   * H1c: 1000/s becomes 10/s while regions are cut off: their leases and their old floors go on,
   * and that they do is a term of the bound of the new quota.
   */
  @Test
  void whatALoweredQuotaStillAdmitsWhereNobodyHearsOfItIsATermOfItsBound() {
    QuotaSpec before = Timeline.quota(1_000, 1_000, 100_000, 2);
    QuotaSpec after = Timeline.quota(10, 10, 100_000, 2);
    List<Region> regions = List.of(R0, R1, R2);
    Timeline play = new Timeline(Rules.ALL, before, R0, R1, R2);
    for (Region region : regions) {
      play.greedy(region.name());
    }
    play.at(9.99).cut("r0").cut("r1").cut("r2");
    play.idle("r0", "r1", "r2");
    double lowered = play.at(10.9).quota(after).admitted();
    play.greedy("r0", "r1", "r2");

    double seconds = 70;
    double admitted = play.at(10.9 + seconds).admitted() - lowered;
    assertThat(admitted).isLessThanOrEqualTo(10 + 10 * seconds + lowered(before, after, regions));
    LeaseTerms none = Timeline.lease(0, 2);
    double leasesAlone = lowered(before.withLease(none), after, regions);
    assertThat(admitted).isGreaterThan(10 + 10 * seconds + leasesAlone);
  }

  private static double lowered(QuotaSpec before, QuotaSpec after, List<Region> regions) {
    return ChangeTerms.lowered(before, after, regions).onceMicros() / 1e6;
  }

  /** H8, as far as a coordinator without loans and without others has it. */
  @Test
  void aCoordinatorThatSleptBelievesInNothingThatEnded() {
    Timeline play = new Timeline(Rules.ALL, Timeline.quota(100, 100, 100_000, 2), R0, R1);
    play.greedy("r0", "r1");
    play.at(10).cut("r0");
    play.fleet.coordinatorClock().sleep();
    play.at(10.5).cut("r1");
    play.at(40);
    play.fleet.coordinatorClock().wake();
    play.heal("r0").heal("r1");
    double before = play.at(45).admitted();
    assertThat(play.at(65).admitted() - before).isGreaterThan(0.99 * 20 * 100);
    assertThat(play.fleet.violations()).isEmpty();
  }

  @Test
  void shortSleepsAddUp() {
    assertThat(napping(Rules.ALL).fleet.violations()).isEmpty();
    assertThat(napping(Rules.without(Clause.S7_SUSPENSION)).fleet.violations()).isNotEmpty();
  }
}
