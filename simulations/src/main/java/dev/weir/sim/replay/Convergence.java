package dev.weir.sim.replay;

import java.util.OptionalDouble;

/**
 * How soon after a shift the region that load moves to gets what it should: the least {@code d}
 * such that, from {@code d} after the shift on, the next requests there that the oracle admits were
 * admitted to 95 % (by tokens). "The next" are at least {@value #LEAST_NANOS} ns and at least
 * {@value #LEAST_REQUESTS} requests of the oracle's, so that one lucky request is no convergence.
 * Counted in steps of {@value #STEP_NANOS} ns and looked for during a minute after the shift; where
 * the oracle admits fewer than that many there altogether, it has not converged.
 */
final class Convergence {
  private static final long STEP_NANOS = 5_000_000;
  private static final long LEAST_NANOS = 200_000_000;
  private static final long LEAST_REQUESTS = 100;
  private static final int STEPS = 12_000;
  private static final double ENOUGH = 0.95;

  private final long fromNanos;
  private final String region;
  private final long[] admittedMicros = new long[STEPS];
  private final long[] oracleMicros = new long[STEPS];
  private final long[] oracleRequests = new long[STEPS];
  private int steps;

  Convergence(long fromNanos, String region) {
    this.fromNanos = fromNanos;
    this.region = region;
  }

  /** Something of a region was admitted, by the oracle or else by who is measured. */
  void admitted(String where, boolean oracle, long micros, long nowNanos) {
    long step = (nowNanos - fromNanos) / STEP_NANOS;
    if (step >= STEPS || !where.equals(region)) {
      return;
    }
    int at = (int) step;
    steps = Math.max(steps, at + 1);
    if (oracle) {
      oracleMicros[at] += micros;
      oracleRequests[at]++;
    } else {
      admittedMicros[at] += micros;
    }
  }

  long fromNanos() {
    return fromNanos;
  }

  boolean isOverAt(long nowNanos) {
    return nowNanos - fromNanos >= STEP_NANOS * STEPS;
  }

  /** After how many nanoseconds; absent where it did not. */
  OptionalDouble nanos() {
    for (int from = 0; from < steps; from++) {
      if (isEnoughFrom(from)) {
        return OptionalDouble.of((double) from * STEP_NANOS);
      }
    }
    return OptionalDouble.empty();
  }

  private boolean isEnoughFrom(int from) {
    long admitted = 0;
    long oracle = 0;
    long requests = 0;
    for (int at = from; at < steps; at++) {
      admitted += admittedMicros[at];
      oracle += oracleMicros[at];
      requests += oracleRequests[at];
      if ((at + 1 - from) * STEP_NANOS >= LEAST_NANOS && requests >= LEAST_REQUESTS) {
        return admitted >= ENOUGH * oracle;
      }
    }
    return false;
  }
}
