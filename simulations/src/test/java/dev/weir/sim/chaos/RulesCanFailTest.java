package dev.weir.sim.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.sim.fleet.Chaos;
import dev.weir.sim.fleet.Chaos.Fault;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every clause of the rules is needed: with it something holds that breaks without it. Where chance
 * does not find the hole soon, a schedule is built for it.
 */
class RulesCanFailTest {
  /** Tried where requests against several quotas are decided, in the agent's {@code JudgeTest}. */
  private static final Set<Clause> ELSEWHERE = EnumSet.of(Clause.S12_ALL_OR_NOTHING);

  /** So many fleets are tried before a hole counts as not found. */
  private static final int FLEETS_MAX = 400;

  static Stream<Named<BuiltSchedule>> built() {
    return BuiltSchedule.ALL.stream()
        .map(built -> named(built.clause() + ": " + built.name(), built));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("built")
  void aBuiltScheduleHoldsByTheClauseAndBreaksWithoutIt(BuiltSchedule built) {
    assertThat(built.play().applyAsDouble(Rules.ALL)).isLessThanOrEqualTo(0);
    assertThat(built.over(Rules.without(built.clause()))).isGreaterThan(0.5);
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
      if (admitsTooMuch(Chaos.run(seed, without, faults))) {
        assertThat(Chaos.run(seed, Rules.ALL, faults).broken()).isEmpty();
        return;
      }
    }
    throw new AssertionError("no fleet of " + FLEETS_MAX + " breaks without " + clause);
  }

  /** What is missing afterwards is no harm to the bound. */
  private static boolean admitsTooMuch(Chaos.Outcome outcome) {
    return outcome.broken().stream().anyMatch(text -> !text.startsWith("afterwards "));
  }

  @Test
  void everyClauseIsTried() {
    Set<Clause> tried = EnumSet.copyOf(ELSEWHERE);
    BuiltSchedule.ALL.forEach(built -> tried.add(built.clause()));
    found().forEach(row -> tried.add((Clause) row.get()[0]));
    assertThat(tried).containsExactlyInAnyOrder(Clause.values());
  }
}
