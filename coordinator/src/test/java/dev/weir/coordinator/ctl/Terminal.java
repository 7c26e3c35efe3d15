package dev.weir.coordinator.ctl;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Runs commands as a shell would, and keeps what they write. */
final class Terminal {
  private final Map<String, String> environment = new HashMap<>();
  private Runnable whilePausing = () -> {};

  /** What a command left behind. */
  record Ran(int exitCode, String out, String err) {}

  /** A terminal whose commands ask this coordinator. */
  static Terminal at(StubCoordinator coordinator) {
    return new Terminal().with("WEIR_COORDINATOR", coordinator.url());
  }

  Terminal with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** What happens while a command waits on purpose; the wait itself takes no time. */
  Terminal whilePausing(Runnable happens) {
    whilePausing = happens;
    return this;
  }

  Ran run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Ctl ctl =
        new Ctl() {
          @Override
          void pause(Duration time) {
            whilePausing.run();
          }
        };
    int exitCode =
        CtlMain.commandLine(ctl, environment)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new Ran(exitCode, out.toString(), err.toString());
  }
}
