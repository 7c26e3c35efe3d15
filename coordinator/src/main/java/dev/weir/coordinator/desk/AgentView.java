package dev.weir.coordinator.desk;

import dev.weir.core.message.SyncAnswer;

/**
 * A region's agent as it was heard last.
 *
 * @param region its region
 * @param boot its run
 * @param address where it called from
 * @param seq its newest request
 * @param generation the quotas it uses
 * @param floorVersion the floors it uses; 0 for none
 * @param holdsFloor whether it was given its region's floors
 * @param buckets how many buckets its newest request named
 * @param status what it was told
 * @param state how it is
 * @param heardAtNanos when it was heard, on the monotonic clock
 */
public record AgentView(
    String region,
    long boot,
    String address,
    long seq,
    long generation,
    long floorVersion,
    boolean holdsFloor,
    int buckets,
    SyncAnswer.Status status,
    State state,
    long heardAtNanos) {
  /** How an agent is. */
  public enum State {
    /** Heard lately. */
    ALIVE,
    /** Not heard for some time. */
    LOST,
    /** It said goodbye. */
    LEFT
  }

  AgentView in(State next) {
    return new AgentView(
        region,
        boot,
        address,
        seq,
        generation,
        floorVersion,
        holdsFloor,
        buckets,
        status,
        next,
        heardAtNanos);
  }
}
