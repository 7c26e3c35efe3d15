package dev.weir.core.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The built schedules of one ledger: within the bound by the rules, beyond it without the clause.
 */
class LedgerSchedulesTest {
  static Stream<Arguments> schedules() {
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
            Clause.S4_ONLY_AS_BURST_FALLS,
            "N1, given back but told late",
            LedgerSchedules::givenBackButToldLate));
  }

  private static Arguments with(Clause clause, String name, ToDoubleFunction<Rules> schedule) {
    return Arguments.of(clause, named(name, schedule));
  }

  @ParameterizedTest(name = "{1} ({0})")
  @MethodSource("schedules")
  void theBoundHoldsByTheClauseAndFailsWithoutIt(Clause clause, ToDoubleFunction<Rules> schedule) {
    assertThat(schedule.applyAsDouble(Rules.ALL)).isLessThanOrEqualTo(0);
    assertThat(schedule.applyAsDouble(Rules.without(clause))).isGreaterThan(1);
  }
}
