package dev.weir.sim.command;

import dev.weir.sim.baseline.Baselines;
import dev.weir.sim.replay.Leased;
import dev.weir.sim.replay.Strategy;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ways of limiting that there are. */
final class Strategies {
  /** In the order in which tables show them: Weir, and then the others. */
  static final List<Strategy> ALL =
      Stream.concat(Stream.of(new Leased()), Baselines.ALL.stream()).toList();

  private Strategies() {}

  /**
   * The one of a name.
   *
   * @throws IllegalArgumentException if there is none; the message says which there are
   */
  static Strategy named(String name) {
    for (Strategy strategy : ALL) {
      if (strategy.name().equals(name)) {
        return strategy;
      }
    }
    String names = ALL.stream().map(Strategy::name).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("no strategy is called " + name + "; there are " + names);
  }
}
