package dev.weir.sim.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.sim.fleet.Chaos;
import dev.weir.sim.fleet.Chaos.Fault;
import dev.weir.sim.fleet.FleetSchedules;
import dev.weir.sim.scene.LedgerSchedules;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every clause of the rules is needed: with it something holds that breaks without it. Where chance
 * does not find the hole soon, a schedule is built for it.
 */
class RulesCanFailTest {
  /**
   * Those of the hot bucket are tried with it ({@code core.bucket.RulesTest}), and that of requests
   * against several quotas where they are decided, in the agent's {@code JudgeTest}.
   */
  private static final Set<Clause> ELSEWHERE =
      EnumSet.of(
          Clause.S5_ROOM_ON_ARRIVAL, Clause.S12_ALL_OR_NOTHING, Clause.S12_ROOM_FOR_GIVE_BACK);

  /** So many fleets are tried before a hole counts as not found. */
  private static final int FLEETS_MAX = 400;

  static Stream<Arguments> built() {
    return Stream.of(
        with(
            Clause.S5_ROOM_ON_RETURN,
            "H2, an answer is lost, the bucket fills and is spent",
            LedgerSchedules::lostAnswerThenFullThenSpent),
        with(
            Clause.S5_MARK_SINCE_OLDEST,
            "H2, a slow request and a lost answer",
            LedgerSchedules::slowRequestLostAnswer),
        with(
            Clause.S5_ROOM_ON_RETURN,
            "N2, the loss is shown by a slow request",
            LedgerSchedules::lostAnswerShownByASlowRequest),
        with(
            Clause.S5_ROOM_ON_RETURN,
            "N2, and the lease has run out meanwhile",
            LedgerSchedules::lostAnswerShownAfterItsLeaseRanOut),
        with(
            Clause.S5_ROOM_ON_RETURN,
            "N2, and the ledger is new",
            LedgerSchedules::lostAnswerOfANewLedger),
        with(
            Clause.S4_BASELINE,
            "H3, an old total and then the real one",
            LedgerSchedules::anOldTotalThenTheRealOne),
        with(
            Clause.S4_BASELINE,
            "H3, a forgotten holder returns with an old total",
            LedgerSchedules::aForgottenHolderReturnsWithAnOldTotal),
        with(
            Clause.S3_AUTHORITY_IN_OFFER,
            "H11a, an old number of another authority",
            LedgerSchedules::anOldNumberOfAnotherAuthority),
        with(
            Clause.S4_ONLY_AS_BURST_FALLS,
            "N1, given back but told late",
            LedgerSchedules::givenBackButToldLate),
        with(Clause.S2_ONE_WAY, "L1, not reached", LedgerSchedules::oneRegionIsNotReached),
        with(
            Clause.S9_CONFIRM_LESS_FLOORS,
            "H4b, confirmed without room for floors",
            LedgerSchedules::confirmedWithoutRoomForFloors),
        with(
            Clause.S9_LONGEST_TTL,
            "H5, a lease from when leases were longer",
            LedgerSchedules::leaseFromWhenLeasesWereLonger),
        with(
            Clause.S11_LARGEST_VERSION,
            "N4, a first floor forgotten by the desk",
            LedgerSchedules::aFirstFloorForgotten),
        with(
            Clause.S8_GUARD,
            "N9, a floor passes on as soon as it has run out",
            LedgerSchedules::aFloorPassesOnTooEarly),
        with(
            Clause.S7_NO_TOKENS_BACKWARDS,
            "C17, a clock that jumps to and fro",
            LedgerSchedules::aClockThatJumps),
        with(
            Clause.S8_FENCE_OLDER_BOOT,
            "a dead process takes the floors",
            LedgerSchedules::aDeadProcessTakesTheFloors));
  }

  static Stream<Arguments> fleets() {
    return Stream.of(
        with(
            Clause.S11_LARGEST_VERSION,
            "H1a, a region is added while one is cut off, floors of 10 %",
            rules -> FleetSchedules.aRegionIsAddedWhileOneIsCutOff(100_000, rules)),
        with(
            Clause.S11_LARGEST_VERSION,
            "H1a, a region is added while one is cut off, floors of 60 %",
            rules -> FleetSchedules.aRegionIsAddedWhileOneIsCutOff(600_000, rules)),
        with(
            Clause.S11_GROWTH_WAITS,
            "H1a, and its lease is still good",
            rules -> FleetSchedules.aRegionIsAddedWhileOneIsCutOff(600_000, rules)),
        with(
            Clause.S11_GROWTH_WAITS,
            "H1b, floors grow while the busy region is cut off",
            FleetSchedules::floorsGrowWhileTheBusyRegionIsCutOff),
        with(
            Clause.S11_LARGEST_VERSION,
            "H1d, a fourth region leaves no room for floors",
            FleetSchedules::aFourthRegionLeavesNoRoomForFloors),
        with(
            Clause.S9_MAKES_NOTHING_WHILE_LEARNING,
            "H4a, a burst is spent at the end of learning",
            FleetSchedules::aBurstSpentAtTheEndOfLearning),
        with(
            Clause.S9_KNOWN_LEVEL,
            "H4a, and pools start full",
            FleetSchedules::aBurstSpentAtTheEndOfLearning),
        with(
            Clause.S8_EMPTY_AT_BOOT,
            "H9a, a new process counts from its boot",
            FleetSchedules::aNewProcessCountsFromItsBoot),
        with(
            Clause.S11_LARGEST_VERSION,
            "N4, a first floor forgotten",
            FleetSchedules::aFirstFloorForgotten),
        with(
            Clause.S11_GROWTH_IS_EMPTY,
            "N7, an untouched pool grows",
            FleetSchedules::anUntouchedPoolGrows),
        with(
            Clause.S4_RENEWAL_FILLS_NOTHING,
            "C1, renewed while it is empty",
            FleetSchedules::aRenewalWhileEmpty),
        with(
            Clause.S11_GROWTH_IS_EMPTY,
            "C2, 100/s and 101/s in turn",
            FleetSchedules::aQuotaThatFlaps),
        with(
            Clause.S6_DECISION_CHECKS_EXPIRY,
            "C8, a link is down under load",
            FleetSchedules::aLinkIsDownUnderLoad),
        with(
            Clause.S2_OFFER_ONLY_WHAT_IS_FREE,
            "C9, a quota is cut to a tenth",
            FleetSchedules::aQuotaIsCutToATenth),
        with(
            Clause.S4_RENEWAL_FILLS_NOTHING,
            "C18, a limit of zero and a burst of one",
            rules -> FleetSchedules.aLimitOfZero(1, rules)),
        with(
            Clause.S4_TOKENS_LEAVE_THE_POOL,
            "C18, a limit of zero and a burst of 100",
            rules -> FleetSchedules.aLimitOfZero(100, rules)),
        with(
            Clause.S4_RENEWAL_FILLS_NOTHING,
            "C20, one every ten seconds",
            FleetSchedules::oneEveryTenSeconds),
        with(
            Clause.S11_GROWTH_IS_EMPTY,
            "C23, raised and toggled",
            FleetSchedules::aQuotaThatIsRaisedAndToggled),
        with(
            Clause.S11_GROWTH_IS_EMPTY,
            "a mark from before the quota was lowered and raised again",
            FleetSchedules::aMarkFromBeforeTheQuotaWasLowered),
        with(
            Clause.S11_NO_REPRICING,
            "C25, raised in mid-flow",
            FleetSchedules::aQuotaRaisedInMidFlow));
  }

  private static Arguments with(Clause clause, String name, ToDoubleFunction<Rules> schedule) {
    return Arguments.of(clause, named(name, schedule));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource({"built", "fleets"})
  void aBuiltScheduleHoldsByTheClauseAndBreaksWithoutIt(
      Clause clause, ToDoubleFunction<Rules> schedule) {
    assertThat(schedule.applyAsDouble(Rules.ALL)).isLessThanOrEqualTo(0);
    assertThat(schedule.applyAsDouble(Rules.without(clause))).isGreaterThan(0.5);
  }

  static Stream<Arguments> found() {
    return Stream.of(
        Arguments.of(Clause.S1_POOL_IS_THE_REST, EnumSet.of(Fault.CUTS)),
        Arguments.of(Clause.S2_LARGER_OF_DECLARED_AND_OFFERED, EnumSet.of(Fault.LOSS)),
        Arguments.of(Clause.S2_OFFER_ONLY_WHAT_IS_FREE, EnumSet.of(Fault.LOSS)),
        Arguments.of(Clause.S3_NEWEST_ANSWER_ONLY, EnumSet.of(Fault.SLOW, Fault.TWICE)),
        Arguments.of(Clause.S3_SEQUENCE, EnumSet.of(Fault.SLOW, Fault.TWICE)),
        Arguments.of(Clause.S4_TOKENS_LEAVE_THE_POOL, EnumSet.of(Fault.LOSS)),
        Arguments.of(Clause.S4_RENEWAL_FILLS_NOTHING, EnumSet.of(Fault.LOSS)),
        Arguments.of(Clause.S6_FROM_SENDING, EnumSet.of(Fault.SLOW, Fault.CUTS)),
        Arguments.of(Clause.S6_GUARD, EnumSet.of(Fault.CUTS)),
        Arguments.of(Clause.S6_DECISION_CHECKS_EXPIRY, EnumSet.of(Fault.CUTS)),
        Arguments.of(Clause.S7_SUSPENSION, EnumSet.of(Fault.SLEEPS)),
        Arguments.of(Clause.S8_EMPTY_AT_BOOT, EnumSet.of(Fault.CRASHES)),
        Arguments.of(Clause.S8_ONE_HOLDER, EnumSet.of(Fault.CRASHES)),
        Arguments.of(Clause.S9_LEARNING, EnumSet.of(Fault.COORDINATOR, Fault.CUTS)),
        Arguments.of(Clause.S9_KNOWN_LEVEL, EnumSet.of(Fault.COORDINATOR)),
        Arguments.of(Clause.S11_GROWTH_WAITS, EnumSet.of(Fault.REGIONS, Fault.QUOTAS, Fault.CUTS)),
        Arguments.of(Clause.S11_GROWTH_IS_EMPTY, EnumSet.of(Fault.QUOTAS)),
        Arguments.of(Clause.S11_NO_REPRICING, EnumSet.of(Fault.QUOTAS)));
  }

  /** That all fleets hold by the rules is tried by {@code ChaosTest}. */
  @ParameterizedTest(name = "{0} among {1}")
  @MethodSource("found")
  void chanceFindsAFleetThatBreaksWithoutTheClause(Clause clause, Set<Fault> faults) {
    Rules without = Rules.without(clause);
    for (int seed = 0; seed < FLEETS_MAX; seed++) {
      if (!Chaos.run(new Random(seed), without, faults).isEmpty()) {
        assertThat(Chaos.run(new Random(seed), Rules.ALL, faults)).isEmpty();
        return;
      }
    }
    throw new AssertionError("no fleet of " + FLEETS_MAX + " breaks without " + clause);
  }

  @Test
  void everyClauseIsTried() {
    Set<Clause> tried = EnumSet.copyOf(ELSEWHERE);
    Stream.of(built(), fleets(), found())
        .flatMap(rows -> rows)
        .forEach(row -> tried.add((Clause) row.get()[0]));
    assertThat(tried).containsExactlyInAnyOrder(Clause.values());
  }
}
