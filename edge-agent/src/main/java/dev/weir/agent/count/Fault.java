package dev.weir.agent.count;

/** Why a question got no verdict. */
public enum Fault {
  /** The question was malformed. */
  BAD_QUESTION,
  /** The question names a domain that is in no configuration. */
  UNKNOWN_DOMAIN,
  /** There are no quotas yet. */
  NO_QUOTAS,
  /** A fault of the agent. */
  INTERNAL
}
