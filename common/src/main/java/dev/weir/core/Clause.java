package dev.weir.core;

/**
 * The clauses of the safety rules that tests and simulations switch off, to show that each is
 * needed. Coordinators and agents run with all of them ({@link Rules#ALL}); no configuration of
 * theirs reaches this.
 */
public enum Clause {
  /** S1: the pool is what is not accounted elsewhere. */
  S1_POOL_IS_THE_REST("S1"),
  /** S2: a holder counts at the larger of what it declared and what it was offered. */
  S2_LARGER_OF_DECLARED_AND_OFFERED("S2"),
  /** S2: only what is free is offered. */
  S2_OFFER_ONLY_WHAT_IS_FREE("S2"),
  /** S2: a holder that applies nothing is offered no more than it declares. */
  S2_ONE_WAY("S2"),
  /** S3: the agent applies only the answer to its newest request, once. */
  S3_NEWEST_ANSWER_ONLY("S3"),
  /** S3: the coordinator ignores sequence numbers that are not newer. */
  S3_SEQUENCE("S3"),
  /** S3: offers of another authority are never taken for one's own. */
  S3_AUTHORITY_IN_OFFER("S3"),
  /** S4: tokens in an offer leave the pool when it is sent. */
  S4_TOKENS_LEAVE_THE_POOL("S4"),
  /** S4: a running total counts only after an offer of this entry was applied. */
  S4_BASELINE("S4"),
  /** S4: a running total counts at most as far as the accounted burst falls. */
  S4_ONLY_AS_BURST_FALLS("S4"),
  /** S4: renewing or changing a lease never fills a bucket. */
  S4_RENEWAL_FILLS_NOTHING("S4"),
  /** S5: tokens that arrive are cut to the room there was all the while. */
  S5_ROOM_ON_ARRIVAL("S5"),
  /** S5: tokens that return are cut to the room there was all the while. */
  S5_ROOM_ON_RETURN("S5"),
  /** S5: the mark reaches back to the oldest unanswered request. */
  S5_MARK_SINCE_OLDEST("S5"),
  /** S6: the agent counts the time to live from when it sent the request. */
  S6_FROM_SENDING("S6"),
  /** S6: the coordinator waits drift and guard longer. */
  S6_GUARD("S6"),
  /** S6: every decision checks expiry. */
  S6_DECISION_CHECKS_EXPIRY("S6"),
  /** S7: a suspended machine ends its leases and rests its floors. */
  S7_SUSPENSION("S7"),
  /** S7: a clock that goes backwards makes nothing. */
  S7_NO_TOKENS_BACKWARDS("S7"),
  /** S8: a new boot starts with empty buckets. */
  S8_EMPTY_AT_BOOT("S8"),
  /** S8: a floor belongs to one boot at a time. */
  S8_ONE_HOLDER("S8"),
  /** S8: a floor passes on only drift and guard after its holder has stopped using it. */
  S8_GUARD("S8"),
  /** S8: an older boot is fenced. */
  S8_FENCE_OLDER_BOOT("S8"),
  /** S9: a new authority confirms and grants nothing until it has learnt. */
  S9_LEARNING("S9"),
  /** S9: what is confirmed never exceeds the quota less all floors. */
  S9_CONFIRM_LESS_FLOORS("S9"),
  /** S9: learning lasts as long as the longest time to live still in force. */
  S9_LONGEST_TTL("S9"),
  /** S9: a pool holds only what is known to be left. */
  S9_KNOWN_LEVEL("S9"),
  /** S9: a pool makes nothing before learning has ended. */
  S9_MAKES_NOTHING_WHILE_LEARNING("S9"),
  /** S11: a floor counts at the largest version a region may still use. */
  S11_LARGEST_VERSION("S11"),
  /** S11: what grows waits for the leases given before. */
  S11_GROWTH_WAITS("S11"),
  /** S11: what grows starts empty by what it grew. */
  S11_GROWTH_IS_EMPTY("S11"),
  /** S11: past time is priced at the rate of its time. */
  S11_NO_REPRICING("S11"),
  /** S12: a refused request consumes nothing. */
  S12_ALL_OR_NOTHING("S12"),
  /** S12: what is given back fits the room there was all the while. */
  S12_ROOM_FOR_GIVE_BACK("S12");

  private final String rule;

  Clause(String rule) {
    this.rule = rule;
  }

  /** The rule of the design this belongs to, such as {@code S5}. */
  public String rule() {
    return rule;
  }
}
