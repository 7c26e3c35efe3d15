package dev.weir.core.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.testkit.fleet.Chaos;
import dev.weir.testkit.fleet.Chaos.Fault;
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
  /** Clauses of the hot bucket and of requests against several quotas are tried with those. */
  private static final Set<Clause> ELSEWHERE =
      EnumSet.of(
          Clause.S5_ROOM_ON_ARRIVAL,
          Clause.S7_NO_TOKENS_BACKWARDS,
          Clause.S12_ALL_OR_NOTHING,
          Clause.S12_ROOM_FOR_GIVE_BACK);

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
            "H4, confirmed without room for floors",
            LedgerSchedules::confirmedWithoutRoomForFloors),
        with(
            Clause.S9_LONGEST_TTL,
            "H5, a lease from when leases were longer",
            LedgerSchedules::leaseFromWhenLeasesWereLonger),
        with(
            Clause.S11_LARGEST_VERSION,
            "N4, a first floor forgotten",
            LedgerSchedules::aFirstFloorForgotten),
        with(
            Clause.S8_FENCE_OLDER_BOOT,
            "a dead process takes the floors",
            LedgerSchedules::aDeadProcessTakesTheFloors));
  }

  private static Arguments with(Clause clause, String name, ToDoubleFunction<Rules> schedule) {
    return Arguments.of(clause, named(name, schedule));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("built")
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
    Stream.concat(built(), found()).forEach(row -> tried.add((Clause) row.get()[0]));
    assertThat(tried).containsExactlyInAnyOrder(Clause.values());
  }
}
