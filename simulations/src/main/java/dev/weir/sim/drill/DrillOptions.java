package dev.weir.sim.drill;

import dev.weir.sim.demo.LocalOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all drills have in common. */
final class DrillOptions {
  @Mixin LocalOptions local = new LocalOptions();

  @Option(
      names = "--keep",
      defaultValue = "${env:WEIR_KEEP:-false}",
      description = "Leave logs, data and audit files afterwards.")
  boolean keep;
}
