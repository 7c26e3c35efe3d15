package dev.weir.sim.command;

import dev.weir.config.ConfigException;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.sim.replay.Replay;
import dev.weir.sim.replay.ReplayJson;
import dev.weir.sim.replay.ReplayResult;
import dev.weir.sim.replay.ReplayText;
import dev.weir.sim.replay.Strategy;
import dev.weir.sim.scenario.Scenario;
import dev.weir.sim.scenario.ShippedScenarios;
import dev.weir.sim.screen.ProgressBar;
import dev.weir.sim.screen.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir sim replay}: a scenario or a trace, in virtual time. */
@Command(
    name = "replay",
    description = {
      "Plays a scenario or a recorded load in virtual time, under one way of limiting, beside one"
          + " central bucket that sees everything at once and a judge of every window. One seed"
          + " decides everything.",
      "Exit code 0 if what was expected came true, 1 if not or if a file is not good."
    })
public final class ReplayCommand implements Callable<Integer> {
  private static final int NOT_MET = 1;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by the parser
  private CommandSpec spec;

  @Option(
      names = "--scenario",
      paramLabel = "NAME|FILE",
      defaultValue = "${env:WEIR_SCENARIO}",
      description = "A scenario that ships with Weir, or a file.")
  @Nullable String scenario;

  @Option(
      names = "--list",
      defaultValue = "${env:WEIR_LIST:-false}",
      description = "Shows the scenarios that ship with Weir.")
  boolean list;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by the parser
  private LoadOptions load;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      defaultValue = "${env:WEIR_STRATEGY:-leased}",
      description = "The way of limiting. Default: leased.")
  String strategy = "leased";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  boolean help;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      list(out);
      return 0;
    }
    load.check(scenario != null);
    Strategy chosen = Strategies.named(strategy);
    Scenario what;
    try {
      Scenario trace = load.ofTrace();
      what = trace == null ? WhatToReplay.scenario(String.valueOf(scenario)) : trace;
    } catch (ConfigException bad) {
      spec.commandLine().getErr().println(bad.getMessage());
      return NOT_MET;
    }
    tellOfStrictQuotas(what);
    ReplayResult result = play(what, chosen);
    List<String> missed =
        chosen.name().equals("leased") ? what.expected().missed(result) : List.of();
    out.print(ReplayText.of(result));
    missed.forEach(each -> out.println("NOT AS EXPECTED: " + each));
    out.flush();
    write(result, missed);
    return missed.isEmpty() ? 0 : NOT_MET;
  }

  private ReplayResult play(Scenario what, Strategy chosen) {
    long lengthNanos = what.plan().lengthNanos();
    ProgressBar bar = new ProgressBar(System.err, Terminal.isWatched(), lengthNanos);
    ReplayResult result = new Replay(what.plan(), chosen, load.seed(what)).play(bar::show);
    bar.done();
    return result;
  }

  private void write(ReplayResult result, List<String> missed) throws IOException {
    if (load.json != null) {
      Files.writeString(load.json, ReplayJson.text(result, missed));
    }
  }

  private void tellOfStrictQuotas(Scenario what) {
    List<String> strict =
        what.plan().book().domains().values().stream()
            .flatMap(domain -> domain.quotas().stream())
            .filter(each -> !each.isLeased())
            .map(QuotaSpec::id)
            .map(id -> id.name())
            .toList();
    if (!strict.isEmpty()) {
      spec.commandLine()
          .getErr()
          .println("weir: strict quotas are not simulated and limit nothing here: " + strict);
    }
  }

  private static void list(PrintWriter out) {
    for (String name : ShippedScenarios.NAMES) {
      out.printf(
          Locale.ROOT,
          "%-20s %s%n",
          name,
          ShippedScenarios.read(name).description().replaceAll("\\s+", " "));
    }
    out.flush();
  }
}
