package dev.weir.coordinator.desk;

import dev.weir.core.message.SyncAnswer.Status;

/**
 * A region's agent as it was heard last.
 *
 * @param region its region
 * @param boot its run
 * @param address where it called from
 * @param seq its newest request
 * @param generation the quotas it uses
 * @param floorVersion the floors it uses; 0 for none
 * @param holdsFloor whether it was given its region's floors; of one that is refused whether it
 *     says that it uses them
 * @param buckets how many buckets its newest request named
 * @param told what it was told
 * @param detail what an operator should do about it; empty when all is well
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
    Told told,
    String detail,
    State state,
    long heardAtNanos) {
  /** How an agent is. */
  public enum State {
    /** Heard lately. */
    ALIVE,
    /** Not heard for some time. */
    LOST,
    /** It said goodbye. */
    LEFT,
    /** It gets no answer of the protocol. */
    REFUSED
  }

  /** What an agent was told. */
  public enum Told {
    /** To go on. */
    OK,
    /** To stop: a newer run of its region was seen. */
    FENCED,
    /** That its region is not configured. */
    UNKNOWN_REGION,
    /** That it belongs to another cluster. */
    OTHER_CLUSTER;

    static Told of(Status status) {
      return switch (status) {
        case OK -> OK;
        case FENCED -> FENCED;
        case UNKNOWN_REGION -> UNKNOWN_REGION;
      };
    }
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
        told,
        detail,
        next,
        heardAtNanos);
  }
}
