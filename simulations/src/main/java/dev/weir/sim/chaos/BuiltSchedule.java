package dev.weir.sim.chaos;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.sim.fleet.FleetSchedules;
import dev.weir.sim.scene.BucketSchedules;
import dev.weir.sim.scene.LedgerSchedules;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A timeline built for a hole that chance does not find soon.
 *
 * @param clause the clause that closes the hole
 * @param name what happens, in a line
 * @param play plays it by rules, and returns by how many tokens too much was admitted or in force;
 *     not positive where all held
 */
public record BuiltSchedule(Clause clause, String name, ToDoubleFunction<Rules> play) {
  /**
   * Less than this is no hole: schedules count in doubles, and whole tokens are lost or doubled.
   */
  private static final double TOKENS_OVER_MIN = 0.5;

  /** All built schedules: first those of one bucket, ledger or desk, then those of whole fleets. */
  public static final List<BuiltSchedule> ALL =
      List.of(
          new BuiltSchedule(
              Clause.S12_ROOM_FOR_GIVE_BACK,
              "H10, cancelled after the bucket has refilled",
              BucketSchedules::cancelledAfterItHasRefilled),
          new BuiltSchedule(
              Clause.S12_ROOM_FOR_GIVE_BACK,
              "N10, cancelled after the lease fell and rose",
              BucketSchedules::cancelledAfterTheLeaseFellAndRose),
          new BuiltSchedule(
              Clause.S5_ROOM_ON_ARRIVAL,
              "H2, tokens arrive after the bucket has refilled",
              BucketSchedules::broughtAfterItHasRefilled),
          new BuiltSchedule(
              Clause.S5_ROOM_ON_RETURN,
              "H2, an answer is lost, the bucket fills and is spent",
              LedgerSchedules::lostAnswerThenFullThenSpent),
          new BuiltSchedule(
              Clause.S5_MARK_SINCE_OLDEST,
              "H2, a slow request and a lost answer",
              LedgerSchedules::slowRequestLostAnswer),
          new BuiltSchedule(
              Clause.S5_ROOM_ON_RETURN,
              "N2, the loss is shown by a slow request",
              LedgerSchedules::lostAnswerShownByASlowRequest),
          new BuiltSchedule(
              Clause.S5_ROOM_ON_RETURN,
              "N2, and the lease has run out meanwhile",
              LedgerSchedules::lostAnswerShownAfterItsLeaseRanOut),
          new BuiltSchedule(
              Clause.S5_ROOM_ON_RETURN,
              "N2, and the ledger is new",
              LedgerSchedules::lostAnswerOfANewLedger),
          new BuiltSchedule(
              Clause.S4_BASELINE,
              "H3, an old total and then the real one",
              LedgerSchedules::anOldTotalThenTheRealOne),
          new BuiltSchedule(
              Clause.S4_BASELINE,
              "H3, a forgotten holder returns with an old total",
              LedgerSchedules::aForgottenHolderReturnsWithAnOldTotal),
          new BuiltSchedule(
              Clause.S3_AUTHORITY_IN_OFFER,
              "H11a, an old number of another authority",
              LedgerSchedules::anOldNumberOfAnotherAuthority),
          new BuiltSchedule(
              Clause.S4_ONLY_AS_BURST_FALLS,
              "N1, given back but told late",
              LedgerSchedules::givenBackButToldLate),
          new BuiltSchedule(
              Clause.S2_ONE_WAY, "L1, not reached", LedgerSchedules::oneRegionIsNotReached),
          new BuiltSchedule(
              Clause.S9_CONFIRM_LESS_FLOORS,
              "H4b, confirmed without room for floors",
              LedgerSchedules::confirmedWithoutRoomForFloors),
          new BuiltSchedule(
              Clause.S9_LONGEST_TTL,
              "H5, a lease from when leases were longer",
              LedgerSchedules::leaseFromWhenLeasesWereLonger),
          new BuiltSchedule(
              Clause.S11_LARGEST_VERSION,
              "N4, a first floor forgotten by the desk",
              LedgerSchedules::aFirstFloorForgotten),
          new BuiltSchedule(
              Clause.S8_GUARD,
              "N9, a floor passes on as soon as it has run out",
              LedgerSchedules::aFloorPassesOnTooEarly),
          new BuiltSchedule(
              Clause.S7_NO_TOKENS_BACKWARDS,
              "C17, a clock that jumps to and fro",
              LedgerSchedules::aClockThatJumps),
          new BuiltSchedule(
              Clause.S8_FENCE_OLDER_BOOT,
              "a dead process takes the floors",
              LedgerSchedules::aDeadProcessTakesTheFloors),
          new BuiltSchedule(
              Clause.S11_LARGEST_VERSION,
              "H1a, a region is added while one is cut off, floors of 10 %",
              rules -> FleetSchedules.aRegionIsAddedWhileOneIsCutOff(100_000, rules)),
          new BuiltSchedule(
              Clause.S11_LARGEST_VERSION,
              "H1a, a region is added while one is cut off, floors of 60 %",
              rules -> FleetSchedules.aRegionIsAddedWhileOneIsCutOff(600_000, rules)),
          new BuiltSchedule(
              Clause.S11_GROWTH_WAITS,
              "H1a, and its lease is still good",
              rules -> FleetSchedules.aRegionIsAddedWhileOneIsCutOff(600_000, rules)),
          new BuiltSchedule(
              Clause.S11_GROWTH_WAITS,
              "H1b, floors grow while the busy region is cut off",
              FleetSchedules::floorsGrowWhileTheBusyRegionIsCutOff),
          new BuiltSchedule(
              Clause.S11_LARGEST_VERSION,
              "H1d, a fourth region leaves no room for floors",
              FleetSchedules::aFourthRegionLeavesNoRoomForFloors),
          new BuiltSchedule(
              Clause.S9_MAKES_NOTHING_WHILE_LEARNING,
              "H4a, a burst is spent at the end of learning",
              FleetSchedules::aBurstSpentAtTheEndOfLearning),
          new BuiltSchedule(
              Clause.S9_KNOWN_LEVEL,
              "H4a, and pools start full",
              FleetSchedules::aBurstSpentAtTheEndOfLearning),
          new BuiltSchedule(
              Clause.S8_EMPTY_AT_BOOT,
              "H9a, a new process counts from its boot",
              FleetSchedules::aNewProcessCountsFromItsBoot),
          new BuiltSchedule(
              Clause.S11_LARGEST_VERSION,
              "N4, a first floor forgotten",
              FleetSchedules::aFirstFloorForgotten),
          new BuiltSchedule(
              Clause.S11_GROWTH_IS_EMPTY,
              "N7, an untouched pool grows",
              FleetSchedules::anUntouchedPoolGrows),
          new BuiltSchedule(
              Clause.S4_RENEWAL_FILLS_NOTHING,
              "C1, renewed while it is empty",
              FleetSchedules::aRenewalWhileEmpty),
          new BuiltSchedule(
              Clause.S11_GROWTH_IS_EMPTY,
              "C2, 100/s and 101/s in turn",
              FleetSchedules::aQuotaThatFlaps),
          new BuiltSchedule(
              Clause.S6_DECISION_CHECKS_EXPIRY,
              "C8, a link is down under load",
              FleetSchedules::aLinkIsDownUnderLoad),
          new BuiltSchedule(
              Clause.S6_GUARD,
              "a lease ends by two clocks that drift apart",
              FleetSchedules::aLeaseEndsByTwoClocks),
          new BuiltSchedule(
              Clause.S2_OFFER_ONLY_WHAT_IS_FREE,
              "C9, a quota is cut to a tenth",
              FleetSchedules::aQuotaIsCutToATenth),
          new BuiltSchedule(
              Clause.S4_RENEWAL_FILLS_NOTHING,
              "C18, a limit of zero and a burst of one",
              rules -> FleetSchedules.aLimitOfZero(1, rules)),
          new BuiltSchedule(
              Clause.S4_TOKENS_LEAVE_THE_POOL,
              "C18, a limit of zero and a burst of 100",
              rules -> FleetSchedules.aLimitOfZero(100, rules)),
          new BuiltSchedule(
              Clause.S4_RENEWAL_FILLS_NOTHING,
              "C20, one every ten seconds",
              FleetSchedules::oneEveryTenSeconds),
          new BuiltSchedule(
              Clause.S11_GROWTH_IS_EMPTY,
              "C23, raised and toggled",
              FleetSchedules::aQuotaThatIsRaisedAndToggled),
          new BuiltSchedule(
              Clause.S11_GROWTH_IS_EMPTY,
              "a mark from before the quota was lowered and raised again",
              FleetSchedules::aMarkFromBeforeTheQuotaWasLowered),
          new BuiltSchedule(
              Clause.S11_NO_REPRICING,
              "C25, raised in mid-flow",
              FleetSchedules::aQuotaRaisedInMidFlow));

  /** By how many tokens it is over by these rules; 0 where all held. */
  public double over(Rules rules) {
    double over = play.applyAsDouble(rules);
    return over > TOKENS_OVER_MIN ? over : 0;
  }
}
