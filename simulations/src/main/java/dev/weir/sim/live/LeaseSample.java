package dev.weir.sim.live;

import java.util.Map;

/**
 * Who held what of one quota at one instant.
 *
 * @param atNanos since the replay began
 * @param leasedPerSecond tokens per second leased to each region's agents, floors not counted
 */
public record LeaseSample(long atNanos, Map<String, Double> leasedPerSecond) {
  /** Keeps its own copy of the rates. */
  public LeaseSample {
    leasedPerSecond = Map.copyOf(leasedPerSecond);
  }
}
