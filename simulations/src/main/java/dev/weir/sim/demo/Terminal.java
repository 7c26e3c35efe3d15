package dev.weir.sim.demo;

/** Whether a person watches: the launcher knows, the JVM of 17 cannot tell for one stream alone. */
final class Terminal {
  private Terminal() {}

  static boolean isWatched() {
    return Boolean.getBoolean("weir.terminal");
  }
}
