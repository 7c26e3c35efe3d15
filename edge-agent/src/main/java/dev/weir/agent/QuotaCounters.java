package dev.weir.agent;

import java.util.concurrent.atomic.LongAdder;

/** What was decided about one quota since the process started. Any thread. */
public final class QuotaCounters {
  private static final int REASONS = Reason.values().length;

  private final LongAdder[] allowed = adders();
  private final LongAdder[] refused = adders();
  private final LongAdder allowedMicros = new LongAdder();
  private final LongAdder refusedMicros = new LongAdder();

  QuotaCounters() {}

  void allowed(Reason reason, long costMicros) {
    allowed[reason.ordinal()].increment();
    allowedMicros.add(costMicros);
  }

  void refused(Reason reason, long costMicros) {
    refused[reason.ordinal()].increment();
    refusedMicros.add(costMicros);
  }

  /** Requests it let pass, for that reason; {@link Reason#SHADOW} for those in shadow only. */
  public long allowed(Reason reason) {
    return allowed[reason.ordinal()].sum();
  }

  /** Requests it refused, for that reason. */
  public long refused(Reason reason) {
    return refused[reason.ordinal()].sum();
  }

  /** Their cost in micro-tokens, wrapping around. */
  public long allowedMicros() {
    return allowedMicros.sum();
  }

  /** The cost of those it refused, wrapping around. */
  public long refusedMicros() {
    return refusedMicros.sum();
  }

  private static LongAdder[] adders() {
    LongAdder[] adders = new LongAdder[REASONS];
    for (int i = 0; i < REASONS; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }
}
