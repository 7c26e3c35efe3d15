package dev.weir.sim.replay;

import dev.weir.core.quota.QuotaBook;
import org.jspecify.annotations.Nullable;

/** Something that happens beside the traffic. */
public sealed interface Incident {
  /** What it is, as the report's time axis says it. */
  String text();

  /**
   * A region's link becomes what is said; what is null stays as it is.
   *
   * @param cutUp whether messages to the centre are lost from now on
   * @param cutDown whether messages from it are
   * @param delayNanos one way
   */
  record LinkChange(
      String region,
      @Nullable Boolean cutUp,
      @Nullable Boolean cutDown,
      @Nullable Long delayNanos,
      @Nullable Long jitterNanos,
      @Nullable Double loss,
      String text)
      implements Incident {}

  /** What happens to an agent. */
  enum AgentFate {
    CRASHES,
    LEAVES,
    STARTS
  }

  /** Something happens to the agent of a region. */
  record Agent(String region, AgentFate fate, String text) implements Incident {}

  /** The coordinator dies, or starts again on its disk. */
  record Coordinator(boolean up, String text) implements Incident {}

  /** Other quotas or regions are in force; none is removed, none matches anything else. */
  record Quotas(QuotaBook book, String text) implements Incident {}

  /** A region is drained, or no longer. */
  record Drain(String region, boolean on, String text) implements Incident {}

  /**
   * Load moves: nothing is done, but it is measured how soon the region that it moves to gets what
   * the oracle gives it there.
   *
   * @param from where it leaves, empty if it is new
   */
  record Shift(String from, String to, String text) implements Incident {}
}
