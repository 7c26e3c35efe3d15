package dev.weir.core.bucket;

/** What a bucket stands on, and so why it has no more than it has. */
public enum Standing {
  /** A lease, and the floor under it. */
  LEASE,
  /** The region's floor alone; no lease was needed so far. */
  FLOOR,
  /** What is left since the lease ran out. */
  LEASE_EXPIRED,
  /** No lease yet, and no floor. */
  NO_LEASE,
  /** The floor is lent to other regions. */
  FLOOR_LENT,
  /** The coordinator is learning and grants nothing. */
  LEARNING,
  /** The region is being drained. */
  DRAINED,
  /** This process was replaced by a newer one. */
  FENCED,
  /** One bucket for all the keys that found no room of their own. */
  OVERFLOW
}
