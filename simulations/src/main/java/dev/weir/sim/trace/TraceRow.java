package dev.weir.sim.trace;

/**
 * Requests of one key, from one region, at one reading of the trace's clock.
 *
 * @param timeNanos since the epoch
 * @param count requests, at least 1
 * @param cost tokens each of them asks for, at least 1
 */
public record TraceRow(long timeNanos, String region, String key, long count, long cost) {
  /** Checks the ranges. */
  public TraceRow {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1: " + count);
    }
    if (cost < 1) {
      throw new IllegalArgumentException("cost must be at least 1: " + cost);
    }
  }
}
