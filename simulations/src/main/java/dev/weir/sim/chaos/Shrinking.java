package dev.weir.sim.chaos;

import dev.weir.core.Rules;
import dev.weir.sim.fleet.Chaos;
import dev.weir.sim.fleet.Chaos.Fault;
import dev.weir.sim.fleet.Chaos.Outcome;
import dev.weir.sim.fleet.Chaos.Strike;
import dev.weir.sim.fleet.Chaos.Without;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes a schedule that fails as small as possible: whatever can be left out, one thing after the
 * other, while it still fails, until nothing more can be.
 */
final class Shrinking {
  private final long seed;
  private final Rules rules;
  private Outcome last;
  private Without without = Without.NOTHING;

  /**
   * What is left of a schedule.
   *
   * @param strikes the strikes it needs, in order
   * @param ambient the ambient faults it needs
   * @param regions the regions whose traffic it needs
   * @param outcome what comes of the small one
   */
  record Small(List<Strike> strikes, Set<Fault> ambient, List<String> regions, Outcome outcome) {}

  private Shrinking(Outcome failure, Rules rules) {
    this.seed = failure.seed();
    this.rules = rules;
    this.last = failure;
  }

  /** Makes the schedule of a seed that fails by these rules smaller. */
  static Small of(Outcome failure, Rules rules) {
    Shrinking shrinking = new Shrinking(failure, rules);
    while (shrinking.leavesSomethingOut()) {
      // What was needed before may not be needed beside less.
    }
    return shrinking.small();
  }

  private boolean leavesSomethingOut() {
    boolean smaller = false;
    // Halves first, then quarters and so on: most strikes have nothing to do with it.
    for (int length = last.strikes().size(); length > 0; length /= 2) {
      for (int from = 0; from < last.strikes().size(); from += length) {
        Set<Integer> strikes = new HashSet<>(without.strikes());
        for (int i = from; i < Math.min(from + length, last.strikes().size()); i++) {
          strikes.add(last.strikes().get(i).number());
        }
        smaller |=
            strikes.size() > without.strikes().size()
                && failsStill(new Without(strikes, without.calmed(), without.quiet()));
      }
    }
    for (Fault fault : ChaosRun.everything()) {
      if (last.ambient().contains(fault)) {
        Set<Fault> calmed = EnumSet.of(fault);
        calmed.addAll(without.calmed());
        smaller |= failsStill(new Without(without.strikes(), calmed, without.quiet()));
      }
    }
    for (String region : last.regions()) {
      if (!without.quiet().contains(region)) {
        Set<String> quiet = new HashSet<>(without.quiet());
        quiet.add(region);
        smaller |= failsStill(new Without(without.strikes(), without.calmed(), quiet));
      }
    }
    return smaller;
  }

  private boolean failsStill(Without next) {
    Outcome outcome = Chaos.run(seed, rules, ChaosRun.everything(), next);
    if (outcome.held()) {
      return false;
    }
    last = outcome;
    without = next;
    return true;
  }

  private Small small() {
    return new Small(
        last.strikes().stream()
            .filter(strike -> !without.strikes().contains(strike.number()))
            .toList(),
        last.ambient(),
        last.regions().stream().filter(region -> !without.quiet().contains(region)).toList(),
        last);
  }
}
