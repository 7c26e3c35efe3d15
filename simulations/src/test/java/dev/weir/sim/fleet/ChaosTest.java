package dev.weir.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.testkit.Seeds;
import java.util.EnumSet;
import java.util.Random;

/**
 * Everything that can happen does, and the bound holds: whole fleets with lost, late and doubled
 * messages, cuts, crashes, pauses, sleeps, drifting clocks and changing quotas.
 */
class ChaosTest {
  @Seeds(tries = 400)
  void noWindowAdmitsMoreThanTheBoundWhateverGoesWrong(Random random) {
    assertThat(Chaos.run(random, Rules.ALL, EnumSet.allOf(Chaos.Fault.class))).isEmpty();
  }
}
