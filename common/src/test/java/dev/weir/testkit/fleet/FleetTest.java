package dev.weir.testkit.fleet;

import static dev.weir.testkit.fleet.Town.MILLIS;
import static dev.weir.testkit.fleet.Town.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.lease.Desk;
import org.junit.jupiter.api.Test;

/** Whole fleets on a timeline: cases of the field, played. */
class FleetTest {
  /** C6: ten regions at 100 a second each, a quota of 100, and the coordinator is killed. */
  @Test
  void withoutACoordinatorLeasesRunOutAndFloorsRemain() {
    String[] names = new String[10];
    for (int i = 0; i < names.length; i++) {
      names[i] = "r" + i;
    }
    Town town = new Town(6, 100, 100, 100_000, 4 * MILLIS, names);
    for (String name : names) {
      town.traffic(name, nanos -> 100);
    }
    town.fleet.runFor(10 * SECOND);
    town.fleet.coordinator().crash();
    town.fleet.runFor(15 * SECOND);
    town.count();
    town.fleet.runFor(20 * SECOND);
    // Only the floors are left, a tenth of the quota.
    assertThat(town.admitted()).isBetween(190L, 211L);
    assertThat(town.fleet.violations()).isEmpty();
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

  @Test
  void shortSleepsAddUp() {
    assertThat(napping(Rules.ALL).fleet.violations()).isEmpty();
    assertThat(napping(Rules.without(Clause.S7_SUSPENSION)).fleet.violations()).isNotEmpty();
  }
}
