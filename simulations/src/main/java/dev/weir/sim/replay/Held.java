package dev.weir.sim.replay;

import java.util.Map;

/**
 * Where the rate of one bucket is.
 *
 * @param perSecond by region, what it may admit without asking anybody, in tokens per second
 * @param poolPerSecond what is nobody's now, in tokens per second
 */
public record Held(Map<String, Double> perSecond, double poolPerSecond) {
  /** Of a way of limiting in which a rate has no place. */
  public static final Held UNKNOWN = new Held(Map.of(), 0);

  /** Keeps its own copy of the map. */
  public Held {
    perSecond = Map.copyOf(perSecond);
  }
}
