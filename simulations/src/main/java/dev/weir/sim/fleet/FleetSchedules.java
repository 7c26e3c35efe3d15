package dev.weir.sim.fleet;

import dev.weir.core.Rules;
import dev.weir.core.quota.Region;

/**
 * Built timelines of whole fleets, each of which admits more than the bound when one clause of the
 * rules is dropped. Each returns by how many tokens the worst window was over; 1 where none was but
 * more was in force than the quota; 0 where all held.
 */
public final class FleetSchedules {
  private static final Region R0 = new Region("r0", 1);
  private static final Region R1 = new Region("r1", 1);
  private static final Region R2 = new Region("r2", 1);
  private static final Region R3 = new Region("r3", 1);

  private FleetSchedules() {}

  /** H1a: a region is cut off, and then a fourth one is added. */
  public static double aRegionIsAddedWhileOneIsCutOff(int floorPpm, Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(1_000, 200, floorPpm, 10), R0, R1, R2);
    play.greedy("r0", "r1", "r2");
    play.at(9).cut("r0");
    play.at(10).regions(R0, R1, R2, R3).starts("r3");
    play.greedy("r3");
    return play.at(60).over();
  }

  /** H1b: floors grow from 10 to 50 % while the busy region is cut off with a lease of 0.9 R. */
  public static double floorsGrowWhileTheBusyRegionIsCutOff(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(1_000, 200, 100_000, 10), R0, R1, R2);
    play.greedy("r0");
    play.at(9.9).cut("r0");
    play.at(10).floors(500_000).greedy("r1", "r2");
    return play.at(25).over();
  }

  /** H1d: three floors of one request are half of B; a fourth region makes them too many. */
  public static double aFourthRegionLeavesNoRoomForFloors(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(60, 6, 100_000, 2), R0, R1, R2);
    play.greedy("r0", "r1", "r2");
    play.at(9).deafen("r0");
    play.at(10).regions(R0, R1, R2, R3).starts("r3");
    play.greedy("r3");
    return play.at(50).over();
  }

  /**
   * H4a: a holder is cut off just before the ledger is lost, and spends its whole burst just before
   * its lease ends; the pool would have made the same burst meanwhile.
   */
  public static double aBurstSpentAtTheEndOfLearning(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(200, 200, 0, 2), R0, R1);
    play.greedy("r0");
    play.at(5.05).cut("r0").idle("r0");
    play.at(5.06).coordinatorRestarts().greedy("r1");
    play.at(6.95).spendAll("r0");
    return play.at(12).over();
  }

  /**
   * H9a: in a rolling update the new process is up for a minute without the floor, which the old
   * one drains before it passes on.
   */
  public static double aNewProcessCountsFromItsBoot(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(100, 600, 100_000, 2), R0, R1, R2);
    play.at(10).cut("r0").starts("r0");
    play.at(69.5).greedy("r0", "r1", "r2");
    play.at(70).heal("r0");
    return play.at(80).over();
  }

  /**
   * N4: floors of 60 %, most of them in one region, which hears nothing any more; they become 10
   * and then 12 %.
   */
  public static double aFirstFloorForgotten(Rules rules) {
    Timeline play =
        new Timeline(rules, Timeline.quota(1_000, 200, 600_000, 2), new Region("r0", 8), R1, R2);
    play.greedy("r0", "r1", "r2");
    play.at(9).deafen("r0");
    play.at(10).floors(100_000);
    play.at(13).floors(120_000);
    return play.at(24).over();
  }

  /**
   * N7: floors of 50 % are spent and then become 10 %; the pool, never touched, would count as full
   * at its new size.
   */
  public static double anUntouchedPoolGrows(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(5, 1_000, 500_000, 2), R0, R1, R2);
    play.at(205).spendAll("r0", "r1", "r2");
    play.at(205.2).floors(100_000);
    play.at(208).greedy("r0", "r1", "r2");
    return play.at(240).over();
  }

  /** C1: a lease is renewed at every sync while its bucket is empty and requests come in. */
  public static double aRenewalWhileEmpty(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(10, 10, 0, 2), R0);
    return play.greedy("r0").at(20).over();
  }

  /** C2: the quota alternates between 100/s and 101/s at every sync. */
  public static double aQuotaThatFlaps(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(100, 100, 100_000, 2), R0, R1);
    play.at(2);
    for (int i = 1; i < 200; i++) {
      play.at(2 + i / 10.0).quota(Timeline.quota(100 + i % 2, 100 + i % 2, 100_000, 2));
      play.spendAll("r0", "r1");
    }
    return play.at(25).over();
  }

  /** C8: a region's link is down for 10 s under load. */
  public static double aLinkIsDownUnderLoad(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(100, 100, 100_000, 2), R0, R1);
    play.greedy("r0", "r1");
    play.at(10).cut("r0");
    play.at(20).heal("r0");
    return play.at(40).over();
  }

  /** C9: two hold half each; the quota is cut to a tenth, and a third asks. */
  public static double aQuotaIsCutToATenth(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(100, 100, 0, 2), R0, R1, R2);
    play.greedy("r0", "r1");
    play.at(10).quota(Timeline.quota(10, 10, 0, 2)).greedy("r2");
    return play.at(20).over();
  }

  /** C18: a limit of 0 is asked for in three regions. How far from its burst what they get is. */
  public static double aLimitOfZero(int burst, Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(0, burst, 100_000, 2), R0, R1, R2);
    play.greedy("r0", "r1", "r2");
    play.at(20);
    return Math.max(0, Math.abs(play.admitted() - burst) - 0.1);
  }

  /** C20: 6 a minute and a burst of 1. How far from one every ten seconds what it gets is. */
  public static double oneEveryTenSeconds(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(0.1, 1, 100_000, 2), R0);
    play.greedy("r0");
    play.at(100.5);
    return Math.max(0, Math.abs(play.admitted() - 11) - 0.1);
  }

  /** C23: 10 an hour are spent; 20 an hour with a burst of 20, and back, and again. */
  public static double aQuotaThatIsRaisedAndToggled(Rules rules) {
    double hourly = 10.0 / 3_600;
    Timeline play = new Timeline(rules, Timeline.quota(hourly, 10, 0, 2), R0, R1);
    play.greedy("r0", "r1");
    play.at(3);
    for (int i = 0; i < 20; i++) {
      double factor = 2 - i % 2;
      play.at(3 + i).quota(Timeline.quota(factor * hourly, factor * 10, 0, 2));
    }
    play.at(24);
    // In 24 s a tenth is made.
    return Math.max(0, play.admitted() - 10.2);
  }

  /**
   * A slow quota is lowered to a tenth and raised again while a mark says that nearly all of it is
   * left; the coordinator begins again, and the mark is older than the cut.
   */
  public static double aMarkFromBeforeTheQuotaWasLowered(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(0.1, 200, 0, 2), R0, R1);
    play.at(2).agent("r0").take(Timeline.BUCKET, 1_000_000);
    play.at(26).quota(Timeline.quota(0.1, 20, 0, 2));
    play.at(32).quota(Timeline.quota(0.1, 200, 0, 2));
    play.at(33).coordinatorRestarts();
    play.at(36).greedy("r0", "r1");
    return play.at(50).over();
  }

  /**
   * The busy region's clock is as slow as it may be and the coordinator's as fast; the region is
   * cut off, and another one asks all the while for what its lease leaves.
   */
  public static double aLeaseEndsByTwoClocks(Rules rules) {
    Timeline play = new Timeline(500, rules, Timeline.quota(100, 100, 0, 300), R0, R1);
    play.greedy("r0");
    play.at(10).cut("r0").greedy("r1");
    return play.at(330).over();
  }

  /** C25: 10 per 20 s become 1,000 per 20 s after 50 s without requests. */
  public static double aQuotaRaisedInMidFlow(Rules rules) {
    Timeline play = new Timeline(rules, Timeline.quota(0.5, 100, 100_000, 2), R0, R1);
    play.greedy("r0", "r1");
    play.at(10).idle("r0", "r1");
    play.at(60).quota(Timeline.quota(50, 100, 100_000, 2)).greedy("r0", "r1");
    return play.at(70).over();
  }
}
