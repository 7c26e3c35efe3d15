package dev.weir.sim.command;

import dev.weir.sim.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is asked for, and the seed that decides it: the options of replays and comparisons. */
final class LoadOptions {
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
      names = "--seed",
      paramLabel = "N",
      defaultValue = "${env:WEIR_SEED}",
      description = "Decides everything. Default: the scenario's, or 1.")
  @Nullable Long seed;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      defaultValue = "${env:WEIR_JSON}",
      description = "Writes the result there; the same seed gives the same bytes.")
  @Nullable Path json;

  /**
   * Checks that exactly one load is named.
   *
   * @throws IllegalArgumentException if not; the message says what to say
   */
  void check(boolean hasScenario) {
    if (hasScenario == (trace != null)) {
      throw new IllegalArgumentException(
          "say either --scenario or --trace (weir sim replay --list shows some)");
    }
    if (quota != null && trace == null) {
      throw new IllegalArgumentException("a scenario has its quotas; --quota goes with --trace");
    }
  }

  /** The trace that is named, under its quotas; null where none is. */
  @Nullable Scenario ofTrace() throws IOException {
    return trace == null ? null : WhatToReplay.trace(trace, quota, key, 1);
  }

  /** The seed to play with. */
  long seed(Scenario what) {
    return seed == null ? what.seed() : seed;
  }
}
