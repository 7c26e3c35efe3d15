package dev.weir.sim.screen;

import java.io.PrintStream;
import java.util.Locale;

/**
 * A bar on a terminal, drawn over itself; nothing at all anywhere else. Not safe for use by several
 * threads.
 */
public final class ProgressBar {
  private static final int WIDTH = 40;

  private final PrintStream out;
  private final boolean terminal;
  private final long whole;
  private long drawnPercent = -1;

  /**
   * A bar of which nothing is drawn yet.
   *
   * @param terminal whether there is a terminal to draw on
   * @param whole how much there is to do, in any unit
   */
  public ProgressBar(PrintStream out, boolean terminal, long whole) {
    this.out = out;
    this.terminal = terminal;
    this.whole = Math.max(1, whole);
  }

  /** Shows how much of the whole is done; cheap when called often. */
  public void show(long done) {
    double part = Math.min(1, (double) done / whole);
    long percent = Math.round(100 * part);
    if (terminal && percent != drawnPercent) {
      drawnPercent = percent;
      int full = (int) (part * WIDTH);
      out.printf(
          Locale.ROOT, "\r[%s%s] %3d %% ", "#".repeat(full), ".".repeat(WIDTH - full), percent);
      out.flush();
    }
  }

  /** Wipes the bar. */
  public void done() {
    if (terminal) {
      out.print("\r\033[K");
      out.flush();
    }
  }
}
