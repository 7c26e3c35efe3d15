package dev.weir.sim.fleet;

/** A machine's clocks: the monotonic one drifts, starts anywhere and stops while it sleeps. */
final class SimClock {
  private static final long MILLION = 1_000_000;

  private final VirtualTime time;
  private final long originNanos;
  private final long wallOriginNanos;
  private final int driftPpm;
  private long sleptNanos;
  private long wallSteppedNanos;
  private boolean asleep;
  private long asleepSinceNanos;

  SimClock(VirtualTime time, long originNanos, long wallOriginNanos, int driftPpm) {
    this.time = time;
    this.originNanos = originNanos;
    this.wallOriginNanos = wallOriginNanos;
    this.driftPpm = driftPpm;
  }

  /** The monotonic clock; an instant anywhere in {@code long}. */
  long nanos() {
    long asleepNow = asleep ? time.nowNanos() - asleepSinceNanos : 0;
    long awakeNanos = time.nowNanos() - sleptNanos - asleepNow;
    return originNanos + awakeNanos + awakeNanos / MILLION * driftPpm;
  }

  /** The wall clock: right, but for where it starts and how it was set. */
  long wallNanos() {
    return wallOriginNanos + time.nowNanos() + wallSteppedNanos;
  }

  void step(long nanos) {
    wallSteppedNanos += nanos;
  }

  /** The machine sleeps: nothing runs, and the monotonic clock stands still. */
  void sleep() {
    asleep = true;
    asleepSinceNanos = time.nowNanos();
  }

  void wake() {
    asleep = false;
    sleptNanos += time.nowNanos() - asleepSinceNanos;
  }
}
