package dev.weir.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.sim.fleet.Chaos.Fault;
import dev.weir.sim.fleet.Chaos.Outcome;
import dev.weir.sim.fleet.Chaos.Strike;
import dev.weir.sim.fleet.Chaos.Without;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything that can happen does, and the bound holds: whole fleets with lost, late and doubled
 * messages, cuts, crashes, pauses, sleeps, drifting clocks and changing quotas.
 */
class ChaosTest {
  private static final Set<Fault> ALL = EnumSet.allOf(Fault.class);

  static LongStream seeds() {
    return LongStream.range(0, 400);
  }

  @ParameterizedTest(name = "deploy/weir sim chaos --from {0} --seeds 1")
  @MethodSource("seeds")
  void noWindowAdmitsMoreThanTheBoundWhateverGoesWrong(long seed) {
    assertThat(Chaos.run(seed, Rules.ALL, ALL).broken()).isEmpty();
  }

  @Test
  void theSameSeedIsTheSameRun() {
    for (long seed = 0; seed < 20; seed++) {
      Outcome first = Chaos.run(seed, Rules.ALL, ALL);
      Outcome second = Chaos.run(seed, Rules.ALL, ALL);
      assertThat(second.sums()).isEqualTo(first.sums());
      assertThat(second.faults().counts()).isEqualTo(first.faults().counts());
      assertThat(second.strikes()).isEqualTo(first.strikes());
    }
  }

  @Test
  void aStrikeThatIsLeftOutLeavesTheOthersWhatTheyAre() {
    Outcome whole = Chaos.run(2, Rules.ALL, ALL);
    assertThat(whole.strikes()).isNotEmpty();
    Set<Integer> all =
        whole.strikes().stream().map(Strike::number).collect(Collectors.toUnmodifiableSet());
    Outcome less = Chaos.run(2, Rules.ALL, ALL, new Without(all, whole.ambient(), Set.of()));
    assertThat(less.strikes()).isEqualTo(whole.strikes());
    assertThat(less.faults().counts()).isEmpty();
    assertThat(less.ambient()).isEmpty();
    assertThat(less.sums().fingerprint()).isNotEqualTo(whole.sums().fingerprint());
  }
}
