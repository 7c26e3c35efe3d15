package dev.weir.sim.report;

import dev.weir.core.bound.AdmissionBound;
import dev.weir.core.quota.FloorSplit;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.sim.judge.QuotaVerdict;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.live.Timeline.Count;
import java.util.Map;
import java.util.Optional;

/**
 * The numbers a run is judged by, all in tokens.
 *
 * @param unanswered no answer came, or none that could be read
 * @param oracleAdmitted what one central bucket admitted of the same arrivals
 * @param quietFloors what floors of quiet regions made, and nobody used, while the central bucket
 *     was refusing: the part of the difference that lent floors are to win back
 * @param falseRefusals refused although the central bucket admitted it
 * @param overshoot the most that any window of any bucket admitted beyond its bound, rounded up to
 *     micro-tokens
 * @param bound what the quota that all share may admit within the length of the run
 * @param boundHeld whether the bound held, and every admission the agents answered was there to be
 *     judged
 */
public record Figures(
    long asked,
    long admitted,
    long refused,
    long unanswered,
    long oracleAdmitted,
    double quietFloors,
    long falseRefusals,
    double overshoot,
    double bound,
    boolean boundHeld) {
  private static final double SECOND_NANOS = 1e9;

  /** The numbers of a run. */
  public static Figures of(Run run) {
    Timeline timeline = run.outcome().timeline();
    long worst =
        run.verdicts().stream().mapToLong(each -> each.worst().overshootMicros()).max().orElse(0);
    AdmissionBound bound = AdmissionBound.of(run.quota(), run.regions(), run.driftPpm(), 0);
    return new Figures(
        timeline.total(Count.ASKED),
        timeline.total(Count.ADMITTED),
        timeline.total(Count.REFUSED),
        timeline.total(Count.UNANSWERED),
        timeline.total(Count.ORACLE_ADMITTED),
        quietFloors(run),
        timeline.total(Count.REFUSED_ALONE),
        tokens(worst),
        tokens(bound.allowedMicros(run.outcome().lengthNanos())),
        worst == 0 && missing(run).isEmpty());
  }

  /** Admitted as a part of what the central bucket admitted; 1 where that admitted nothing. */
  public double utilisation() {
    return oracleAdmitted == 0 ? 1 : (double) admitted / oracleAdmitted;
  }

  /** The same, of what it admitted less the floors that quiet regions left unused. */
  public double utilisationLessQuietFloors() {
    double reachable = oracleAdmitted - quietFloors;
    return reachable <= 0 ? 1 : admitted / reachable;
  }

  /**
   * What is wrong with the evidence: fewer admissions in the agents' audit files than they
   * answered. More may be: an answer can be lost on its way.
   */
  static Optional<String> missing(Run run) {
    long answered = run.outcome().timeline().total(Count.ADMITTED);
    long written =
        run.verdicts().stream()
            .filter(verdict -> verdict.quota().id().equals(run.quota().id()))
            .mapToLong(QuotaVerdict::admittedMicros)
            .sum();
    if (written >= answered * Tokens.MICROS_PER_TOKEN) {
      return Optional.empty();
    }
    return Optional.of(
        "agents answered that they admitted "
            + answered
            + " tokens and wrote down only "
            + Tokens.text(written));
  }

  /** A quota's rate in tokens per second. */
  static double perSecond(Rate rate) {
    return perSecond(rate.micros(), rate.perNanos());
  }

  /** The floors of a quota by region, in tokens per second. */
  static double floorPerSecond(QuotaSpec quota, Share floor) {
    return perSecond(floor.rateMicros(), quota.rate().perNanos());
  }

  private static double perSecond(long micros, long perNanos) {
    return micros / (double) Tokens.MICROS_PER_TOKEN * SECOND_NANOS / perNanos;
  }

  private static double quietFloors(Run run) {
    double unused = 0;
    for (int slot = 0; slot < run.outcome().timeline().slots(); slot++) {
      if (isContended(run.outcome().timeline(), slot)) {
        unused += unusedFloors(run, slot);
      }
    }
    return unused;
  }

  /** Whether the central bucket was refusing. */
  static boolean isContended(Timeline timeline, int slot) {
    return tokens(timeline, Count.ASKED, slot) != tokens(timeline, Count.ORACLE_ADMITTED, slot);
  }

  /** What floors made in a slot and their regions did not use. */
  static double unusedFloors(Run run, int slot) {
    Timeline timeline = run.outcome().timeline();
    double unused = 0;
    for (Map.Entry<String, Share> floor : FloorSplit.of(run.quota(), run.regions()).entrySet()) {
      double made =
          floorPerSecond(run.quota(), floor.getValue()) * timeline.slotNanos() / SECOND_NANOS;
      long used =
          timeline.regions().contains(floor.getKey())
              ? timeline.tokens(floor.getKey(), Count.ADMITTED, slot)
              : 0;
      unused += Math.max(0, made - used);
    }
    return unused;
  }

  /** The tokens of one slot of all regions. */
  static long tokens(Timeline timeline, Count count, int slot) {
    return timeline.regions().stream().mapToLong(each -> timeline.tokens(each, count, slot)).sum();
  }

  private static double tokens(long micros) {
    return micros / (double) Tokens.MICROS_PER_TOKEN;
  }
}
