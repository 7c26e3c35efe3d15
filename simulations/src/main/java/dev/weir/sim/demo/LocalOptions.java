package dev.weir.sim.demo;

import picocli.CommandLine.Option;

/** What all commands that start processes have in common. */
public final class LocalOptions {
  @Option(
      names = "--port-base",
      paramLabel = "PORT",
      defaultValue = "${env:WEIR_PORT_BASE:-" + Ports.DEFAULT_BASE + "}",
      description =
          "The coordinator's port; agents listen 10, 20 and 30 above it. Default: "
              + Ports.DEFAULT_BASE
              + ".")
  public int portBase;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  boolean help;
}
