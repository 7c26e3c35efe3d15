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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by the parser
  private LoadOptions load;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "${env:WEIR_STRATEGY}",
      description = "Only these, with commas between. Default: all.")
  List<String> strategies = List.of();

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
    load.check(!scenarios.isEmpty());
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
    if (load.json != null) {
      Files.writeString(load.json, CompareTable.json(results));
    }
    boolean held =
        results.stream()
            .flatMap(List::stream)
            .filter(result -> result.strategy().equals("leased"))
            .allMatch(ReplayResult::boundHeld);
    return held ? 0 : NOT_MET;
  }

  private List<Scenario> loads() throws IOException {
    Scenario trace = load.ofTrace();
    if (trace != null) {
      return List.of(trace);
    }
    List<String> names = scenarios.equals(List.of("all")) ? ShippedScenarios.NAMES : scenarios;
    return names.stream().map(WhatToReplay::scenario).toList();
  }

  /** On as many threads as there are processors; a replay uses one. */
  private List<List<ReplayResult>> play(List<Scenario> loads, List<Strategy> chosen) {
    long allNanos =
        loads.stream().mapToLong(each -> each.plan().lengthNanos()).sum() * chosen.size();
    ProgressBar bar = new ProgressBar(System.err, Terminal.isWatched(), allNanos);
    AtomicLong doneNanos = new AtomicLong();
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<List<Future<ReplayResult>>> running = new ArrayList<>();
      for (Scenario each : loads) {
        running.add(
            chosen.stream()
                .map(strategy -> threads.submit(() -> play(each, strategy, doneNanos, bar)))
                .toList());
      }
      return running.stream().map(each -> each.stream().map(CompareCommand::got).toList()).toList();
    } finally {
      threads.shutdownNow();
      bar.done();
    }
  }

  private ReplayResult play(
      Scenario what, Strategy strategy, AtomicLong doneNanos, ProgressBar bar) {
    long[] before = new long[1];
    return new Replay(what.plan(), strategy, load.seed(what))
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
