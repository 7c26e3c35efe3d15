package dev.weir.agent;

import dev.weir.agent.count.Tally;
import java.util.concurrent.atomic.LongAdder;

/** What was decided about one quota since the process started. Any thread. */
public final class QuotaCounters {
  private final Tally<Reason> allowed = new Tally<>(Reason.class);
  private final Tally<Reason> allowedMicros = new Tally<>(Reason.class);
  private final Tally<Reason> refused = new Tally<>(Reason.class);
  private final LongAdder refusedMicros = new LongAdder();
  private final LongAdder near = new LongAdder();

  QuotaCounters() {}

  void allowed(Reason reason, long costMicros) {
    allowed.count(reason);
    allowedMicros.add(reason, costMicros);
  }

  /** Of those allowed: one that left little. */
  void near() {
    near.increment();
  }

  void refused(Reason reason, long costMicros) {
    refused.count(reason);
    refusedMicros.add(costMicros);
  }

  /** Requests it let pass, for that reason; {@link Reason#SHADOW} for those in shadow only. */
  public long allowed(Reason reason) {
    return allowed.of(reason);
  }

  /** Requests it refused, for that reason. */
  public long refused(Reason reason) {
    return refused.of(reason);
  }

  /** Requests it let pass after which less than a fifth was left of what its bucket can hold. */
  public long nearLimit() {
    return near.sum();
  }

  /** The cost of all it let pass, in micro-tokens, wrapping around. */
  public long allowedMicros() {
    return allowedMicros.sum();
  }

  /** What was taken from leases and floors, in micro-tokens, wrapping around. */
  public long usedMicros() {
    return allowedMicros.of(Reason.OK);
  }

  /**
   * What fallbacks let pass beside leases and floors, in micro-tokens, wrapping around: all that
   * can be beyond the quota.
   */
  public long besideMicros() {
    return allowedMicros.of(Reason.LEASE_EXPIRED) + allowedMicros.of(Reason.STORE_LOST);
  }

  /** The cost of those it refused, wrapping around. */
  public long refusedMicros() {
    return refusedMicros.sum();
  }
}
