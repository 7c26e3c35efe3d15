package dev.weir.sim.screen;

/** Whether a person watches: the launcher knows, the JVM of 17 cannot tell for one stream alone. */
public final class Terminal {
  private Terminal() {}

  /** Whether what is written to standard error is seen at once. */
  public static boolean isWatched() {
    return Boolean.getBoolean("weir.terminal");
  }
}
