package dev.weir.sim.replay;

import java.util.List;
import java.util.stream.Collectors;

/** The ways of limiting that there are. */
public final class Strategies {
  /** In the order in which tables show them. */
  public static final List<Strategy> ALL = List.of(new Leased());

  private Strategies() {}

  /**
   * The one of a name.
   *
   * @throws IllegalArgumentException if there is none; the message says which there are
   */
  public static Strategy named(String name) {
    for (Strategy strategy : ALL) {
      if (strategy.name().equals(name)) {
        return strategy;
      }
    }
    String names = ALL.stream().map(Strategy::name).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("no strategy is called " + name + "; there are " + names);
  }
}
