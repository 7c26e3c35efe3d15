package dev.weir.agent;

import java.util.EnumMap;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** What was decided about one quota since the process started. Any thread. */
public final class QuotaCounters {
  private final EnumMap<Reason, LongAdder> allowed = adders();
  private final EnumMap<Reason, LongAdder> refused = adders();
  private final LongAdder allowedMicros = new LongAdder();
  private final LongAdder refusedMicros = new LongAdder();

  QuotaCounters() {}

  void allowed(Reason reason, long costMicros) {
    of(allowed, reason).increment();
    allowedMicros.add(costMicros);
  }

  void refused(Reason reason, long costMicros) {
    of(refused, reason).increment();
    refusedMicros.add(costMicros);
  }

  /** Requests it let pass, for that reason; {@link Reason#SHADOW} for those in shadow only. */
  public long allowed(Reason reason) {
    return of(allowed, reason).sum();
  }

  /** Requests it refused, for that reason. */
  public long refused(Reason reason) {
    return of(refused, reason).sum();
  }

  /** Their cost in micro-tokens, wrapping around. */
  public long allowedMicros() {
    return allowedMicros.sum();
  }

  /** The cost of those it refused, wrapping around. */
  public long refusedMicros() {
    return refusedMicros.sum();
  }

  private static EnumMap<Reason, LongAdder> adders() {
    EnumMap<Reason, LongAdder> adders = new EnumMap<>(Reason.class);
    for (Reason reason : Reason.values()) {
      adders.put(reason, new LongAdder());
    }
    return adders;
  }

  private static LongAdder of(EnumMap<Reason, LongAdder> adders, Reason reason) {
    return Objects.requireNonNull(adders.get(reason));
  }
}
