package dev.weir.sim.replay;

import dev.weir.core.quota.Tokens;
import dev.weir.sim.replay.ReplayResult.Latency;
import dev.weir.sim.replay.ReplayResult.QuotaResult;
import dev.weir.sim.replay.ReplayResult.RegionResult;
import dev.weir.sim.replay.ReplayResult.ShiftResult;
import java.util.Locale;

/** The table a terminal shows at the end of a replay. */
public final class ReplayText {
  private static final double MILLIS = 1e6;
  private static final double SECONDS = 1e9;

  private ReplayText() {}

  /** The table, its lines ended by newlines. */
  public static String of(ReplayResult result) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "%s under %s, seed %d: %s of virtual time",
        result.name(),
        result.strategy(),
        result.seed(),
        time(result.lengthNanos()));
    text.append('\n');
    line(
        text,
        "%-16s %12s %12s %12s %12s %8s",
        "requests",
        "asked",
        "admitted",
        "refused",
        "oracle",
        "false");
    for (RegionResult region : result.regions()) {
      counts(text, region.name(), region.counts());
    }
    counts(text, "total", result.total());
    text.append('\n');
    figures(text, result);
    for (QuotaResult quota : result.quotas()) {
      quota(text, quota);
    }
    real(text, result);
    line(text, result.boundHeld() ? "The bound held." : "THE BOUND DID NOT HOLD.");
    return text.toString();
  }

  private static void counts(StringBuilder text, String name, Counts counts) {
    line(
        text,
        "%-16s %,12d %,12d %,12d %,12d %7.3f%%%s",
        name,
        counts.asked(),
        counts.admitted(),
        counts.refused(),
        counts.oracleAdmitted(),
        100 * counts.falseRefusalPart(),
        counts.unserved() == 0
            ? ""
            : String.format(Locale.ROOT, "  %,d found no agent", counts.unserved()));
  }

  private static void figures(StringBuilder text, ReplayResult result) {
    line(
        text,
        "utilisation      %.2f %% of what one central bucket admits"
            + " (%.2f %% less the floors of quiet regions)",
        100 * result.total().utilisation(),
        100 * result.utilisationLessQuietFloors());
    for (ShiftResult shift : result.shifts()) {
      line(
          text,
          "shift            at %s to %s: 95 %% of it there %s",
          time(shift.atNanos()),
          shift.to(),
          shift.convergenceNanos().isPresent()
              ? String.format(
                  Locale.ROOT, "after %.0f ms", shift.convergenceNanos().getAsDouble() / MILLIS)
              : "not within a minute");
    }
    line(text, "fairness         %.4f (Jain, among equals that want more)", result.jain());
    line(
        text,
        "messages         %,d, %.1f a second",
        result.messages(),
        result.messages() / (result.lengthNanos() / SECONDS));
    Latency latency = result.latency();
    if (latency.maxNanos() > 0) {
      line(
          text,
          "waiting          %.1f ms at the median, %.1f at p99, %.1f at most",
          latency.p50Nanos() / MILLIS,
          latency.p99Nanos() / MILLIS,
          latency.maxNanos() / MILLIS);
    }
  }

  private static void quota(StringBuilder text, QuotaResult quota) {
    line(
        text,
        "%-16s %,.0f tokens of at most %,.0f in %,d %s; the worst window used %.1f %% of its burst"
            + "%s",
        quota.name(),
        quota.admittedMicros() / 1e6,
        quota.boundMicros() / 1e6,
        quota.buckets(),
        quota.buckets() == 1 ? "bucket" : "buckets",
        100 * quota.level(),
        quota.overshootMicros() == 0
            ? ""
            : ", and was " + Tokens.text(quota.overshootMicros()) + " tokens over its bound");
  }

  private static void real(StringBuilder text, ReplayResult result) {
    line(
        text,
        "%-16s %.2f s, %,.0f decisions a second",
        "real time",
        result.realNanos() / SECONDS,
        result.decisionsPerSecond());
  }

  private static String time(long nanos) {
    double seconds = nanos / SECONDS;
    return seconds < 600
        ? String.format(Locale.ROOT, "%.6g s", seconds).replaceAll("\\.?0+ s", " s")
        : String.format(
            Locale.ROOT,
            "%d:%02d:%02d",
            (long) seconds / 3600,
            (long) seconds / 60 % 60,
            (long) seconds % 60);
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
