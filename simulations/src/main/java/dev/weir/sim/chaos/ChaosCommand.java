package dev.weir.sim.chaos;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.sim.chaos.ChaosResult.Played;
import dev.weir.sim.fleet.Chaos.Outcome;
import dev.weir.sim.screen.ProgressBar;
import dev.weir.sim.screen.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir sim chaos}: everything goes wrong, and the bound must hold. */
@Command(
    name = "chaos",
    description = {
      "Plays whole fleets of the core in virtual time, to which everything happens that can: lost, late"
          + " and doubled messages, cuts, crashes, pauses, sleeps, drifting clocks, lost data, changed"
          + " quotas and regions. One seed decides everything. Schedules built for holes that"
          + " chance does not find are played as well.",
      "Exit code 0 if nothing broke, 1 with the first seed if something did."
    })
public final class ChaosCommand implements Callable<Integer> {
  private static final long SEEDS_MAX = 1_000_000_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by the parser
  private CommandSpec spec;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "${env:WEIR_SEEDS:-1000}",
      description = "How many random fleets; 0 plays the built schedules alone. Default: 1000.")
  long seeds;

  @Option(
      names = "--from",
      paramLabel = "S",
      defaultValue = "${env:WEIR_FROM:-0}",
      description = "The first seed. Default: 0.")
  long from;

  @Option(
      names = "--break",
      paramLabel = "RULE",
      defaultValue = "${env:WEIR_BREAK}",
      description =
          "Switches a rule of DESIGN.md off, such as S2, or one clause of it: then something must break.")
  @Nullable String broken;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      defaultValue = "${env:WEIR_JSON}",
      description = "Writes what was found there; the same seeds give the same bytes.")
  @Nullable Path json;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "${env:WEIR_THREADS:-0}",
      description = "How many fleets at once. Default: as many as there are processors.")
  int threads;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  boolean help;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seeds < 0 || seeds > SEEDS_MAX) {
      throw new IllegalArgumentException("--seeds must be in [0, " + SEEDS_MAX + "]: " + seeds);
    }
    if (from < 0 || from > Long.MAX_VALUE - SEEDS_MAX) {
      throw new IllegalArgumentException("--from must not be negative: " + from);
    }
    if (threads < 0 || threads > 1_000) {
      throw new IllegalArgumentException("--threads must be in [1, 1000]: " + threads);
    }
    Rules rules = broken == null ? Rules.ALL : without(broken);
    int workers = threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
    long startNanos = System.nanoTime();
    ChaosResult result = play(rules, workers);
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    spec.commandLine().getOut().print(ChaosText.of(result, seconds, workers));
    spec.commandLine().getOut().flush();
    if (json != null) {
      ChaosJson.write(result, json);
    }
    return result.held() ? 0 : 1;
  }

  private ChaosResult play(Rules rules, int workers) throws InterruptedException {
    List<Played> schedules =
        BuiltSchedule.ALL.stream().map(each -> new Played(each, each.over(rules))).toList();
    ProgressBar bar = new ProgressBar(System.err, Terminal.isWatched(), seeds);
    ChaosRun.Result run = new ChaosRun(from, seeds, rules).play(workers, bar::show);
    bar.done();
    Outcome failure = run.failure();
    return new ChaosResult(
        from,
        seeds,
        broken == null ? null : broken.toUpperCase(Locale.ROOT),
        schedules,
        run,
        failure == null ? null : Shrinking.of(failure, rules));
  }

  /** All clauses but those of a rule, or but one. */
  private static Rules without(String name) {
    String wanted = name.toUpperCase(Locale.ROOT);
    Rules rules = Rules.withoutRule(wanted);
    if (!rules.off().isEmpty()) {
      return rules;
    }
    return Arrays.stream(Clause.values())
        .filter(clause -> clause.name().equals(wanted))
        .findFirst()
        .map(Rules::without)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--break knows no rule " + name + "; it knows " + String.join(", ", names())));
  }

  private static List<String> names() {
    return Arrays.stream(Clause.values()).map(Clause::rule).distinct().toList();
  }
}
