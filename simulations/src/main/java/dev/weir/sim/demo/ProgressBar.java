package dev.weir.sim.demo;

import java.io.PrintStream;
import java.util.Locale;

/** A bar on a terminal, drawn over itself; nothing at all anywhere else. */
final class ProgressBar {
  private static final int WIDTH = 40;
  private static final long REDRAW_NANOS = 100_000_000;

  private final PrintStream out;
  private final boolean terminal;
  private final long wholeNanos;
  private long drawnNanos = Long.MIN_VALUE / 2;

  ProgressBar(PrintStream out, boolean terminal, long wholeNanos) {
    this.out = out;
    this.terminal = terminal;
    this.wholeNanos = Math.max(1, wholeNanos);
  }

  /** Shows how much has passed; cheap when called often. */
  void show(long passedNanos) {
    if (terminal && passedNanos - drawnNanos >= REDRAW_NANOS) {
      drawnNanos = passedNanos;
      double part = Math.min(1, (double) passedNanos / wholeNanos);
      int full = (int) (part * WIDTH);
      out.printf(
          Locale.ROOT,
          "\r[%s%s] %3.0f %% ",
          "#".repeat(full),
          ".".repeat(WIDTH - full),
          100 * part);
      out.flush();
    }
  }

  /** Wipes the bar. */
  void done() {
    if (terminal) {
      out.print("\r\033[K");
      out.flush();
    }
  }
}
