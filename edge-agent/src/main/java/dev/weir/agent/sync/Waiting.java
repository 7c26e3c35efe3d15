package dev.weir.agent.sync;

/** A decision that waits for a first lease. Called on the sync loop's thread only. */
public interface Waiting {
  /** When it waits no longer. */
  long deadlineNanos();

  /**
   * Looks again.
   *
   * @return whether it is over: a lease has come, or the time has
   */
  boolean isOverAt(long nowNanos);
}
