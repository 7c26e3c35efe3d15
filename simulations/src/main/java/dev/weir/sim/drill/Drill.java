package dev.weir.sim.drill;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code weir drill}: what a fleet does when things move, end and begin again, in figures. */
@Command(
    name = "drill",
    subcommands = {
      ShiftDrill.class,
      OutageDrill.class,
      RestartsDrill.class,
      TenantsDrill.class,
      CheckDrill.class
    },
    description = {
      "Starts processes on this machine, makes things go wrong or moves the load, and measures.",
      "Exit code 0 only if no window of any bucket admitted more than its bound."
    })
public final class Drill implements Runnable {
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
    throw new ParameterException(spec.commandLine(), "Say which drill.");
  }
}
