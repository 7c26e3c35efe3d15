package dev.weir.sim.scenario;

/**
 * A share of the traffic of a region is asked in another from an instant on.
 *
 * @param overNanos how long it takes to move
 * @param share in {@code [0, 1]}
 */
record Move(long atNanos, String from, String to, long overNanos, double share) {
  /** The share that has moved at an instant. */
  double shareAt(long nanos) {
    if (nanos < atNanos) {
      return 0;
    }
    return overNanos == 0 ? share : share * Math.min(1, (double) (nanos - atNanos) / overNanos);
  }
}
