package dev.weir.sim.report;

import dev.weir.core.bound.Overshoot;
import dev.weir.core.quota.Tokens;
import dev.weir.sim.judge.QuotaVerdict;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.live.Timeline.Count;
import java.util.Locale;

/** The table a terminal shows at the end of a replay. */
public final class ResultText {
  private static final double SECOND_NANOS = 1e9;

  private ResultText() {}

  /** The table, its lines ended by newlines. */
  public static String of(Run run) {
    StringBuilder text = new StringBuilder();
    Figures figures = Figures.of(run);
    regions(text, run.outcome().timeline(), figures);
    text.append('\n');
    oracle(text, figures);
    text.append('\n');
    for (QuotaVerdict verdict : run.verdicts()) {
      verdict(text, verdict, run.driftPpm());
    }
    warnings(text, run, figures);
    return text.toString();
  }

  private static void regions(StringBuilder text, Timeline timeline, Figures figures) {
    line(text, "%-16s %12s %12s %12s", "tokens", "asked", "admitted", "refused");
    for (String region : timeline.regions()) {
      line(
          text,
          "%-16s %,12d %,12d %,12d",
          region,
          timeline.total(region, Count.ASKED),
          timeline.total(region, Count.ADMITTED),
          timeline.total(region, Count.REFUSED));
    }
    line(
        text,
        "%-16s %,12d %,12d %,12d",
        "total",
        figures.asked(),
        figures.admitted(),
        figures.refused());
  }

  private static void oracle(StringBuilder text, Figures figures) {
    line(
        text,
        "%-16s %,12d %,12d %,12d",
        "central bucket",
        figures.asked(),
        figures.oracleAdmitted(),
        figures.asked() - figures.oracleAdmitted());
    line(
        text,
        "Of what one central bucket admits of the same arrivals, Weir admitted %.1f %%;",
        100 * figures.utilisation());
    line(
        text,
        "less the floors of quiet regions (%,.0f tokens): %.1f %%.",
        figures.quietFloors(),
        100 * figures.utilisationLessQuietFloors());
  }

  private static void verdict(StringBuilder text, QuotaVerdict verdict, int driftPpm) {
    Overshoot worst = verdict.worst();
    line(
        text,
        "%-16s B + R(1+rho)t with B = %s, R = %s, rho = %s",
        "bound " + verdict.quota().id().name(),
        Tokens.text(verdict.quota().burstMicros()),
        rate(verdict),
        Tokens.text(driftPpm));
    line(
        text,
        "%-16s %s tokens, in every window of %,d admissions%s",
        "  overshoot",
        Tokens.text(worst.overshootMicros()),
        verdict.decisions(),
        verdict.buckets() == 1
            ? ""
            : String.format(Locale.ROOT, " from %,d buckets", verdict.buckets()));
    double allowed = (worst.admittedMicros() - worst.excessMicros()) / 1e6;
    line(
        text,
        "%-16s %,.0f of at most %,.0f tokens in %.2f s",
        "  tightest",
        worst.admittedMicros() / 1e6,
        allowed,
        worst.lengthNanos() / SECOND_NANOS);
  }

  private static String rate(QuotaVerdict verdict) {
    return String.format(Locale.ROOT, "%.6g/s", Figures.perSecond(verdict.quota().rate()))
        .replaceAll("\\.?0+/s", "/s");
  }

  private static void warnings(StringBuilder text, Run run, Figures figures) {
    if (figures.unanswered() > 0) {
      line(
          text,
          "%,d tokens were asked for and got no answer: %s",
          figures.unanswered(),
          run.outcome().firstError().orElse("unknown"));
    }
    Figures.missing(run)
        .ifPresent(missing -> line(text, "The bound cannot be judged: %s", missing));
    if (run.outcome().lateNanosMax() > SECOND_NANOS / 5) {
      line(
          text,
          "The machine was busy: arrivals were sent up to %.1f s late.",
          run.outcome().lateNanosMax() / SECOND_NANOS);
    }
    line(text, figures.boundHeld() ? "The bound held." : "THE BOUND DID NOT HOLD.");
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
