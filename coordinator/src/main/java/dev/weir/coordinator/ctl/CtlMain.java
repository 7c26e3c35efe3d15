package dev.weir.coordinator.ctl;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Wires the commands of {@code weir ctl} and runs one, nothing else. */
public final class CtlMain {
  private CtlMain() {}

  /**
   * Runs a command and ends the process with its exit code.
   *
   * @param args the command line, without {@code ctl}
   */
  public static void main(String[] args) {
    System.exit(commandLine(new Ctl(), System.getenv()).execute(args));
  }

  static CommandLine commandLine(Ctl ctl, Map<String, String> environment) {
    CommandLine commands = new CommandLine(ctl);
    commands
        .addSubcommand(new Validate(ctl))
        .addSubcommand(new Apply(ctl))
        .addSubcommand(new Quotas(ctl))
        .addSubcommand(new Explain(ctl))
        .addSubcommand(new Leases(ctl))
        .addSubcommand(new Bound(ctl))
        .addSubcommand(new Regions(ctl))
        .addSubcommand(new Agents(ctl))
        .addSubcommand(new Drain(ctl))
        .addSubcommand(new Undrain(ctl))
        .addSubcommand(new ReleaseFloor(ctl));
    return commands
        .setDefaultValueProvider(new EnvironmentDefaults(environment))
        .setUsageHelpWidth(100)
        .setParameterExceptionHandler(CtlMain::wrongUsage)
        .setExecutionExceptionHandler(CtlMain::failed)
        .setOut(utf8(FileDescriptor.out))
        .setErr(utf8(FileDescriptor.err));
  }

  /** JSON is UTF-8 whatever the locale says, and so are the names in tables. */
  private static PrintWriter utf8(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), true);
  }

  private static int wrongUsage(ParameterException wrong, String[] args) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("weir ctl: " + wrong.getMessage());
    if (wrong.getArgSpec() == null && !command.getSubcommands().isEmpty()) {
      err.println("Commands: " + String.join(", ", command.getSubcommands().keySet()));
    }
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    return CtlException.WRONG_USAGE;
  }

  /** What the user can do something about is said in a line; anything else is a bug. */
  private static int failed(Exception e, CommandLine command, ParseResult parsed) throws Exception {
    if (e instanceof CtlException failure) {
      command.getErr().println("weir ctl: " + failure.getMessage());
      return failure.exitCode();
    }
    throw e;
  }
}
