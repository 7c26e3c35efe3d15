package dev.weir.sim.command;

import dev.weir.config.ConfigException;
import dev.weir.sim.replay.Replay;
import dev.weir.sim.replay.ReplayResult;
import dev.weir.sim.replay.Strategy;
import dev.weir.sim.scenario.Scenario;
import dev.weir.sim.scenario.ShippedScenarios;
import dev.weir.sim.screen.ProgressBar;
import dev.weir.sim.screen.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir sim compare}: the same load under every way of limiting. */
@Command(
    name = "compare",
    description = {
      "Plays the same load under Weir and under what people limit with otherwise, each at its"
          + " documented defaults and some better than that, beside one central bucket that sees"
          + " everything at once.",
      "Exit code 0; 1 if Weir broke the bound or a file is not good. What others do is shown."
    })
public final class CompareCommand implements Callable<Integer> {
  private static final int NOT_MET = 1;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by the parser
  private CommandSpec spec;

  @Option(
      names = "--scenario",
      paramLabel = "NAME|FILE",
      split = ",",
      defaultValue = "${env:WEIR_SCENARIO}",
      description =
          "Scenarios that ship with Weir, or files, with commas between; all: every one that"
              + " ships.")
  List<String> scenarios = List.of();

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      defaultValue = "${env:WEIR_TRACE}",
      description = "A recorded load: a file, or the name of one that ships with Weir.")
  @Nullable String trace;

  @Option(
      names = "--quota",
      paramLabel = "FILE",
      defaultValue = "${env:WEIR_QUOTA}",
      description =
          "The quotas of a trace. Default: one for all keys, of 60 % of what its busiest minute"
              + " asks for and with a second's worth of burst.")
  @Nullable Path quota;

  @Option(
      names = "--key",
      paramLabel = "NAME",
      defaultValue = "${env:WEIR_KEY:-tenant}",
      description = "The descriptor that carries the key of a trace. Default: tenant.")
  String key = "tenant";

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "${env:WEIR_STRATEGY}",
      description = "Only these, with commas between. Default: all.")
  List<String> strategies = List.of();

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "${env:WEIR_SEED}",
      description = "Decides everything. Default: each scenario's own, or 1.")
  @Nullable Long seed;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      defaultValue = "${env:WEIR_JSON}",
      description = "Writes the tables there; the same seed gives the same bytes.")
  @Nullable Path json;

  @Option(
      names = "--markdown",
      defaultValue = "${env:WEIR_MARKDOWN:-false}",
      description = "Prints tables as Markdown.")
  boolean markdown;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  boolean help;

  @Override
  public Integer call() throws IOException {
    if (scenarios.isEmpty() == (trace == null)) {
      throw new IllegalArgumentException(
          "say either --scenario or --trace (weir sim replay --list shows some)");
    }
    if (quota != null && trace == null) {
      throw new IllegalArgumentException("a scenario has its quotas; --quota goes with --trace");
    }
    List<Strategy> chosen =
        strategies.isEmpty() ? Strategies.ALL : strategies.stream().map(Strategies::named).toList();
    List<Scenario> loads;
    try {
      loads = loads();
    } catch (ConfigException bad) {
      spec.commandLine().getErr().println(bad.getMessage());
      return NOT_MET;
    }
    List<List<ReplayResult>> results = play(loads, chosen);
    PrintWriter out = spec.commandLine().getOut();
    for (List<ReplayResult> each : results) {
      out.print(markdown ? CompareTable.markdown(each) : CompareTable.text(each));
      out.println();
    }
    out.flush();
    if (json != null) {
      Files.writeString(json, CompareTable.json(results));
    }
    boolean held =
        results.stream()
            .flatMap(List::stream)
            .filter(result -> result.strategy().equals("leased"))
            .allMatch(ReplayResult::boundHeld);
    return held ? 0 : NOT_MET;
  }

  private List<Scenario> loads() throws IOException {
    if (trace != null) {
      return List.of(WhatToReplay.trace(trace, quota, key, 1));
    }
    List<String> names = scenarios.equals(List.of("all")) ? ShippedScenarios.NAMES : scenarios;
    return names.stream().map(WhatToReplay::scenario).toList();
  }

  /** On as many threads as there are processors; a replay uses one. */
  private List<List<ReplayResult>> play(List<Scenario> loads, List<Strategy> chosen) {
    long allNanos =
        loads.stream().mapToLong(load -> load.plan().lengthNanos()).sum() * chosen.size();
    ProgressBar bar = new ProgressBar(System.err, Terminal.isWatched(), allNanos);
    AtomicLong doneNanos = new AtomicLong();
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<List<Future<ReplayResult>>> running = new ArrayList<>();
      for (Scenario load : loads) {
        running.add(
            chosen.stream()
                .map(strategy -> threads.submit(() -> play(load, strategy, doneNanos, bar)))
                .toList());
      }
      return running.stream().map(each -> each.stream().map(CompareCommand::got).toList()).toList();
    } finally {
      threads.shutdownNow();
      bar.done();
    }
  }

  private ReplayResult play(
      Scenario load, Strategy strategy, AtomicLong doneNanos, ProgressBar bar) {
    long[] before = new long[1];
    return new Replay(load.plan(), strategy, seed == null ? load.seed() : seed)
        .play(
            nanos -> {
              long done = doneNanos.addAndGet(nanos - before[0]);
              before[0] = nanos;
              synchronized (bar) {
                bar.show(done);
              }
            });
  }

  private static ReplayResult got(Future<ReplayResult> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
