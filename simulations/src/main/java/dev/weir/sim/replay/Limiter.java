package dev.weir.sim.replay;

import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;

/**
 * One way of limiting, at work in a {@link World}: all its processes, in all regions. A replay
 * tells it of every request and of everything that happens to machines; it tells the {@link
 * World#verdicts}, at once or later, what it decided. Messages that it sends over the {@link
 * World#network} are late, lost or cut off as the links are; it need not be told for that.
 *
 * <p>Everything is called by one thread, in the order of virtual time, and nothing may depend on
 * anything but the world and its dice: the same seed gives the same replay.
 */
public interface Limiter {
  /**
   * A request arrives, now, in a region whose agent runs (others never ask). It must be decided
   * sooner or later; what is still open when the replay ends counts as refused.
   */
  void ask(Request request);

  /**
   * The operator has put other quotas or regions in force ({@link World#book} is the new book).
   * Quotas keep their names and what they match. How and when agents hear of it is up to the way of
   * limiting.
   */
  default void quotasChanged(QuotaBook before, QuotaBook after) {}

  /** A region's link is cut, slowed or healed, as {@link World#network} has it now. */
  default void linkChanged(String region) {}

  /** The agent of a region dies without a word; what it held in memory is gone. */
  default void agentCrashed(String region) {}

  /** The agent of a region shuts down in good order: it may still send something. */
  default void agentLeft(String region) {}

  /**
   * An agent starts in a region, with empty memory: after a crash or a shutdown, or the first of a
   * region that is new. (Those of the regions a world begins with are running when it begins.)
   */
  default void agentStarted(String region) {}

  /** The coordinator (the store, the server: whatever is central) dies; its disk survives. */
  default void coordinatorDied() {}

  /** It starts again, on its disk. */
  default void coordinatorStarted() {}

  /** A region is to get nothing new and to give back what it has; or no longer so. */
  default void drained(String region, boolean on) {}

  /** How many messages were sent so far, to and from whatever is central and among agents. */
  long messages();

  /** Where a bucket's rate is now, for the plot; {@link Held#UNKNOWN} where it has no place. */
  default Held held(BucketId bucket) {
    return Held.UNKNOWN;
  }
}
