package dev.weir.agent;

/** Why a decision is as it is. */
public enum Reason {
  /** Allowed: every quota had room, or no quota matched. */
  OK,
  /** Refused: what the region holds of the quota is spent. */
  EXHAUSTED,
  /** The lease has run out and no coordinator answers; the quota's fallback decided. */
  LEASE_EXPIRED,
  /** Refused: no lease yet, and the region has no floor in this quota. */
  NO_LEASE,
  /** Refused: the quota's domain does not list the agent's region, so it has no part in it. */
  UNKNOWN_REGION,
  /** A strict quota has no store; its fallback decided. */
  STORE_LOST,
  /** Refused for good: the cost is above what one request may have. */
  COST_TOO_LARGE,
  /** Refused: the coordinator has just started and only confirms what was leased before. */
  LEARNING,
  /** Refused: the region's floor is lent to another region. */
  FLOOR_LENT,
  /** Refused: the region is being drained. */
  DRAINED,
  /** Refused: a newer agent of this region has taken over. */
  FENCED,
  /** Refused: the keys beyond the cap share one bucket, and that is spent. */
  OVERFLOW,
  /** Allowed, though a quota in shadow mode would have refused it. */
  SHADOW
}
