package dev.weir.sim;

import dev.weir.sim.demo.Demo;
import dev.weir.sim.demo.Dev;
import dev.weir.sim.demo.FleetException;
import dev.weir.sim.drill.Drill;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** Wires and starts the commands of this module, nothing else. */
@Command(
    name = "weir",
    subcommands = {Demo.class, Dev.class, Drill.class, Sim.class},
    mixinStandardHelpOptions = true)
public final class SimMain {
  private static final int WRONG_USAGE = 2;
  private static final int NO_SERVER = 3;

  private SimMain() {}

  /**
   * Runs a command and ends the process with its exit code.
   *
   * @param args the command line, the command's name first
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new SimMain()).setExecutionExceptionHandler(SimMain::failed);
  }

  /**
   * What the user can do something about is said in a line; anything else is a bug and shows where.
   */
  private static int failed(Exception e, CommandLine commandLine, ParseResult parsed)
      throws Exception {
    if (e instanceof FleetException) {
      commandLine.getErr().println("weir: " + e.getMessage());
      return NO_SERVER;
    }
    if (e instanceof IllegalArgumentException) {
      commandLine.getErr().println("weir: " + e.getMessage());
      return WRONG_USAGE;
    }
    if (e instanceof IOException) {
      commandLine.getErr().println("weir: " + e);
      return CommandLine.ExitCode.SOFTWARE;
    }
    throw e;
  }
}
