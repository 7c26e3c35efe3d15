package dev.weir.sim.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** A command as a user types it, and what it prints. */
final class Typed {
  private final Object command;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  Typed(Object command) {
    this.command = command;
  }

  /** Returns the exit code; wrong usage is 2, as in {@code weir} itself. */
  int run(String... arguments) {
    return new CommandLine(command)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .setExecutionExceptionHandler(
            (e, line, parsed) -> {
              line.getErr().println(e.getMessage());
              return 2;
            })
        .execute(arguments);
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }
}
