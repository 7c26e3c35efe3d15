package dev.weir.sim;

import dev.weir.sim.chaos.ChaosCommand;
import dev.weir.sim.command.CompareCommand;
import dev.weir.sim.command.ReplayCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir sim}: fleets of the core in virtual time. */
@Command(
    name = "sim",
    subcommands = {ChaosCommand.class, ReplayCommand.class, CompareCommand.class},
    description = "Plays fleets of the core in virtual time, on a simulated network.")
final class Sim implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by the parser
  private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  boolean help;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say which simulation.");
  }
}
