package dev.weir.agent.count;

/** Why a question got no verdict. */
public enum Fault {
  /** The question was malformed. */
  BAD_QUESTION,
  /** There are no quotas yet. */
  NO_QUOTAS,
  /** A fault of the agent. */
  INTERNAL
}
