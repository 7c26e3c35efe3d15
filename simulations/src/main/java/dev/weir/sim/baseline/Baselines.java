package dev.weir.sim.baseline;

import dev.weir.sim.replay.Strategy;
import java.util.List;

/** What else people limit with, each at its documented defaults, and some better than that. */
public final class Baselines {
  /** In the order in which tables show them. */
  public static final List<Strategy> ALL =
      List.of(
          LocalStrategy.STATIC_SPLIT,
          LocalStrategy.EACH_ALONE,
          new CentralStrategy(),
          StrictStrategy.PATIENT,
          StrictStrategy.ENVOY,
          GossipStrategy.EVERY_100_MILLIS,
          GossipStrategy.EVERY_500_MILLIS,
          DoormanStrategy.DEFAULTS,
          DoormanStrategy.FAST);

  private Baselines() {}
}
