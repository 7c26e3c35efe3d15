package dev.weir.agent;

import dev.weir.core.math.Nanos;

/**
 * Since when no coordinator was heard, on this agent's clock. An agent is cut off from a quota once
 * its time to live has passed since the last applied answer was asked for: no lease can be left
 * then. A boot that was never answered counts from its start.
 *
 * <p>Written by the sync thread, read by every decision.
 */
final class CutOff {
  private volatile long heardNanos;

  CutOff(long startNanos) {
    heardNanos = startNanos;
  }

  /** An answer was applied to a request sent then. */
  void heard(long sentAtNanos) {
    heardNanos = sentAtNanos;
  }

  /** Tells whether nothing was heard for so long. */
  boolean isLongerThan(long lengthNanos, long nowNanos) {
    return nowNanos - heardNanos >= lengthNanos;
  }

  /** Returns for how long nothing was heard. */
  long lengthNanos(long nowNanos) {
    return Nanos.elapsed(heardNanos, nowNanos);
  }
}
