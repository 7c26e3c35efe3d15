package dev.weir.sim.report;

import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import dev.weir.sim.judge.QuotaVerdict;
import dev.weir.sim.live.LeaseSample;
import dev.weir.sim.live.Outcome;
import dev.weir.sim.trace.Pace;
import dev.weir.sim.trace.Trace;
import java.util.List;

/**
 * A finished replay with all that was seen of it.
 *
 * @param quota the one that all arrivals share, whose leases were watched
 * @param regions of its domain
 * @param driftPpm {@code ρ} in parts per million, as the judge took it
 * @param verdicts of the judge, per quota
 * @param leases of {@code quota}, in the order of time
 * @param syncMessages requests that all agents sent to the coordinator while it lasted
 */
public record Run(
    Trace trace,
    Pace pace,
    long seed,
    QuotaSpec quota,
    List<Region> regions,
    int driftPpm,
    Outcome outcome,
    List<QuotaVerdict> verdicts,
    List<LeaseSample> leases,
    long syncMessages) {
  /** Keeps its own copies of the lists. */
  public Run {
    regions = List.copyOf(regions);
    verdicts = List.copyOf(verdicts);
    leases = List.copyOf(leases);
  }
}
