package dev.weir.sim.fleet;

import dev.weir.core.bound.BoundTerm;
import dev.weir.core.bound.ChangeTerms;
import dev.weir.core.bound.WindowJudge;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges what is admitted by the bound that the coordinator shows to its users: that of the quota
 * as it now is, with what earlier changes may still add (S11). Every window that begins after the
 * newest change counts.
 */
final class PublishedJudge {
  private final LeaseTiming timing;
  private final List<Past> past = new ArrayList<>();
  private @Nullable WindowJudge judge;
  private long worstMicros;

  private record Past(BoundTerm term, long untilNanos) {}

  PublishedJudge(LeaseTiming timing) {
    this.timing = timing;
  }

  /**
   * The quota is another from now on.
   *
   * @param regions of its domain before
   */
  void change(long nowNanos, @Nullable QuotaSpec before, QuotaSpec after, List<Region> regions) {
    note();
    past.removeIf(change -> change.untilNanos() <= nowNanos);
    if (before != null) {
      BoundTerm term = ChangeTerms.lowered(before, after, regions);
      past.add(new Past(term, nowNanos + timing.oldTermsLastNanos(before.lease())));
    }
    judge =
        new WindowJudge(
            after.rate(),
            after.burstMicros(),
            timing.driftPpm(),
            past.stream().map(Past::term).toList());
  }

  void admitted(long nanos, long micros) {
    if (judge != null) {
      judge.admitted(nanos, micros);
    }
  }

  /**
   * Micro-tokens beyond what was published, in the worst window, rounded down: a split bucket may
   * be a fraction of one ahead in each of its parts.
   */
  long excessMicros() {
    note();
    return Math.max(0, worstMicros - 1);
  }

  private void note() {
    if (judge != null) {
      worstMicros = Math.max(worstMicros, judge.worst().overshootMicros());
    }
  }
}
