package dev.weir.sim.chaos;

import dev.weir.sim.chaos.ChaosResult.Played;
import dev.weir.sim.fleet.Chaos.Fault;
import dev.weir.sim.fleet.Chaos.Outcome;
import dev.weir.sim.fleet.Chaos.Strike;
import dev.weir.sim.fleet.Sums;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was found, as a person reads it. */
final class ChaosText {
  private static final int VIOLATIONS_SHOWN = 3;

  private final StringBuilder text = new StringBuilder();

  private ChaosText() {}

  /**
   * Tells it.
   *
   * @param seconds how long it took
   * @param threads on how many threads
   */
  static String of(ChaosResult result, double seconds, int threads) {
    ChaosText text = new ChaosText();
    text.schedules(result.schedules(), result.broken());
    if (result.seeds() > 0) {
      text.seeds(result, seconds, threads);
      text.faults(result.run().faults().counts());
    }
    Outcome failure = result.run().failure();
    Shrinking.Small small = result.small();
    if (failure != null && small != null) {
      text.failure(failure, small);
    }
    text.verdict(result);
    return text.text.toString();
  }

  /** A fault as it is called in texts, such as {@code lost data}. */
  static String name(Fault fault) {
    return fault.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private void line(String format, @Nullable Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private void schedules(List<Played> schedules, @Nullable String broken) {
    long over = schedules.stream().filter(played -> !played.held()).count();
    line("built schedules   %d played, %d broke", schedules.size(), over);
    for (Played played : schedules) {
      if (!played.held()) {
        line(
            "  %s (%s) by %.3f tokens",
            played.schedule().name(), played.schedule().clause().rule(), played.over());
      }
    }
    if (broken != null) {
      line("switched off      %s", broken);
    }
  }

  private void seeds(ChaosResult result, double seconds, int threads) {
    Sums sums = result.run().sums();
    long fleets = result.run().fleets();
    line(
        "random fleets     %,d (seeds %d to %d), %d broke; %.1f s on %d threads",
        fleets,
        result.from(),
        result.from() + fleets - 1,
        result.run().failure() == null ? 0 : 1,
        seconds,
        threads);
    line(
        "  %,.1f hours simulated; %,d requests admitted, %,d refused; %,d messages to coordinators",
        sums.simulatedNanos() / 3.6e12, sums.admitted(), sums.refused(), sums.syncMessages());
  }

  private void faults(Map<String, Long> counts) {
    line("faults injected");
    counts.forEach((kind, count) -> line("  %-20s %,12d", words(kind), count));
  }

  private void failure(Outcome failure, Shrinking.Small small) {
    line("");
    line("seed %d breaks", failure.seed());
    failure.broken().stream().limit(VIOLATIONS_SHOWN).forEach(broken -> line("  %s", broken));
    line(
        "as small as it gets: %d of %d strikes, traffic in %s%s",
        small.strikes().size(),
        failure.strikes().size(),
        small.regions().isEmpty() ? "no region" : String.join(", ", small.regions()),
        small.ambient().isEmpty()
            ? ""
            : ", with "
                + String.join(", ", small.ambient().stream().map(ChaosText::name).toList()));
    for (Strike strike : small.strikes()) {
      line("  %9.3f s  %-12s %s", strike.atNanos() / 1e9, name(strike.fault()), strike.region());
    }
    small.outcome().broken().stream()
        .limit(VIOLATIONS_SHOWN)
        .forEach(broken -> line("  then %s", broken));
  }

  private void verdict(ChaosResult result) {
    line("");
    if (!result.held()) {
      line("Repeat with: %s", result.repeat());
    } else if (result.broken() != null) {
      line(
          "NOTHING BROKE without %s: what was played does not show that it is needed.",
          result.broken());
    } else {
      line("No window admitted more than its bound, and nowhere was more in force than the quota.");
    }
  }

  /** {@code messagesHeldUp} as {@code messages held up}. */
  private static String words(String kind) {
    return kind.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }
}
