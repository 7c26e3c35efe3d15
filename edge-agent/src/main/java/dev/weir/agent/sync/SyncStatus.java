package dev.weir.agent.sync;

/**
 * How an agent stands with the coordinator; a value that is replaced whenever it changes.
 *
 * @param detail what an operator should know or do; empty where all is well
 * @param coordinator the address it talks to
 * @param cluster the cluster's id; empty before the first answer
 * @param boot number of this run
 * @param floorVersion version of the floors in use; 0 for none
 * @param failures requests in a row that got no answer
 * @param roundTripNanos smoothed; 0 before the first answer
 * @param requests sent since the process began
 * @param bucketsNamed in them, each time anew
 */
public record SyncStatus(
    State state,
    String detail,
    String coordinator,
    String cluster,
    long boot,
    long floorVersion,
    int failures,
    long roundTripNanos,
    long requests,
    long bucketsNamed) {
  /** The kinds. */
  public enum State {
    /** No answer yet. */
    STARTING,
    /** Answers come. */
    NORMAL,
    /** No answer lately: leases run out, then floors are what is left. */
    UNREACHABLE,
    /** The region is being drained. */
    DRAINING,
    /** The coordinator does not know the region. */
    UNKNOWN_REGION,
    /** A newer agent of the region has taken over. */
    FENCED,
    /** This agent has given everything back. */
    LEFT
  }
}
