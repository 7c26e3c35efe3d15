package dev.weir.sim.trace;

import dev.weir.core.quota.Descriptors;

/**
 * Requests of one caller, from one region, at one reading of the trace's clock.
 *
 * @param timeNanos since the epoch
 * @param region where they are asked
 * @param key who asks, in one word
 * @param count requests, 1 to {@value #AMOUNT_MAX}
 * @param cost tokens each of them asks for, 1 to {@value #AMOUNT_MAX}
 * @param descriptors what a request is decided by; none where the trace knows only the key
 */
public record TraceRow(
    long timeNanos, String region, String key, long count, long cost, Descriptors descriptors) {
  /** The most that a count or a cost may be. */
  public static final int AMOUNT_MAX = Integer.MAX_VALUE;

  /** Checks the ranges. */
  public TraceRow {
    checkAmount("count", count);
    checkAmount("cost", cost);
  }

  /** A row that knows only the key. */
  public TraceRow(long timeNanos, String region, String key, long count, long cost) {
    this(timeNanos, region, key, count, cost, Descriptors.NONE);
  }

  static void checkAmount(String what, long amount) {
    if (amount < 1) {
      throw new IllegalArgumentException(what + " must be at least 1: " + amount);
    }
    if (amount > AMOUNT_MAX) {
      throw new IllegalArgumentException(what + " must be at most " + AMOUNT_MAX + ": " + amount);
    }
  }
}
