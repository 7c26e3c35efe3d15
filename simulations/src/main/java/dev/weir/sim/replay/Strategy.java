package dev.weir.sim.replay;

/** A way of limiting that a replay can be played under. */
public interface Strategy {
  /** What {@code --strategy} calls it: lower case, words joined by a hyphen. */
  String name();

  /** What it is, in one line, with the settings it runs at. */
  String description();

  /**
   * Begins in a world at time 0, where all regions of {@link World#book} have a running agent and
   * nothing was ever admitted: central buckets are full. {@link World#warmUpNanos} pass before the
   * first request.
   */
  Limiter begin(World world);
}
