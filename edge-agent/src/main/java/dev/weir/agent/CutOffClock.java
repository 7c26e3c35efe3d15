package dev.weir.agent;

import dev.weir.core.math.Nanos;

/**
 * A clock that runs only while an agent is cut off from a quota. By it budgets refill, so that ten
 * short cuts give no more than one as long as all of them (section 4 of the design).
 *
 * <p>Advanced by the sync thread, read by any.
 */
final class CutOffClock {
  private final long afterNanos;
  private volatile Stretch stretch;

  /**
   * The time of all cuts that are over, and from when the next one counts.
   *
   * @param fromNanos an instant of the agent's own clock
   */
  private record Stretch(long beforeNanos, long fromNanos) {}

  /**
   * Starts at 0.
   *
   * @param afterNanos how long nothing must have been heard
   */
  CutOffClock(long afterNanos, long startNanos) {
    this.afterNanos = afterNanos;
    this.stretch = new Stretch(0, startNanos + afterNanos);
  }

  long afterNanos() {
    return afterNanos;
  }

  /** Returns how long the agent has been cut off, in all. */
  long readNanos(long nowNanos) {
    Stretch now = stretch;
    return now.beforeNanos + Nanos.elapsed(now.fromNanos, nowNanos);
  }

  /** An answer was applied now, to a request sent then. */
  void heard(long sentAtNanos, long nowNanos) {
    long fromNanos = Nanos.later(nowNanos, sentAtNanos + afterNanos);
    stretch = new Stretch(readNanos(nowNanos), fromNanos);
  }
}
