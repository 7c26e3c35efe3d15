package dev.weir.sim.fleet;

import java.util.Map;
import java.util.TreeMap;

/** How often what went wrong. Not safe for use by several threads. */
public final class Faults {
  private final Map<String, Long> counts = new TreeMap<>();

  /** Counts a fault. */
  void count(String kind) {
    counts.merge(kind, 1L, Long::sum);
  }

  /** Adds what another has counted. */
  public void add(Faults other) {
    other.counts.forEach((kind, count) -> counts.merge(kind, count, Long::sum));
  }

  /** Counts by kind, sorted by name. */
  public Map<String, Long> counts() {
    return new TreeMap<>(counts);
  }
}
