package dev.weir.core.quota;

import dev.weir.core.math.Check;

/**
 * How a quota is leased, and what a region keeps of it without a lease.
 *
 * @param ttlNanos how long a lease is good for, in {@code [1 s, 5 min]}
 * @param floorPpm part of the quota that is floors, in millionths, in {@code [0, 900000]}
 * @param lend whether idle floors are lent (S13)
 * @param floorTtlNanos how long a region may use its floor unheard, in {@code [1 min, 30 d]}
 * @param lendTtlNanos how long a floor is lent for: more than {@code ttlNanos}, at most 1 h
 * @param firstLeaseWaitNanos most a first request waits for a lease, in {@code [0, 10 s]}; {@link
 *     #DEFAULT_WAIT} for three round trips as measured
 */
public record LeaseTerms(
    long ttlNanos,
    int floorPpm,
    boolean lend,
    long floorTtlNanos,
    long lendTtlNanos,
    long firstLeaseWaitNanos) {
  private static final long SECOND = 1_000_000_000L;

  /** Shortest time to live: 1 s. */
  public static final long TTL_NANOS_MIN = SECOND;

  /** Longest time to live: 5 min. */
  public static final long TTL_NANOS_MAX = 300 * SECOND;

  /** Largest part of a quota that may be floors: 90 %. */
  public static final int FLOOR_PPM_MAX = 900_000;

  /** Shortest life of a floor unheard: 1 min. */
  public static final long FLOOR_TTL_NANOS_MIN = 60 * SECOND;

  /** Longest life of a floor unheard: 30 d. */
  public static final long FLOOR_TTL_NANOS_MAX = 30 * 24 * 3600 * SECOND;

  /** Longest loan of a floor: 1 h. */
  public static final long LEND_TTL_NANOS_MAX = 3600 * SECOND;

  /** Longest wait for a first lease: 10 s. */
  public static final long FIRST_LEASE_WAIT_NANOS_MAX = 10 * SECOND;

  /** {@link #firstLeaseWaitNanos()} where none was set. */
  public static final long DEFAULT_WAIT = -1;

  /** 10 s, 10 %, lent, 24 h, 25 s. */
  public static final LeaseTerms DEFAULT =
      new LeaseTerms(
          10 * SECOND,
          100_000,
          true,
          24 * 3600 * SECOND,
          defaultLendTtl(10 * SECOND),
          DEFAULT_WAIT);

  public LeaseTerms {
    Check.inRange("ttlNanos", ttlNanos, TTL_NANOS_MIN, TTL_NANOS_MAX);
    Check.inRange("floorPpm", floorPpm, 0, FLOOR_PPM_MAX);
    Check.inRange("floorTtlNanos", floorTtlNanos, FLOOR_TTL_NANOS_MIN, FLOOR_TTL_NANOS_MAX);
    Check.inRange("lendTtlNanos", lendTtlNanos, ttlNanos + 1, LEND_TTL_NANOS_MAX);
    Check.inRange(
        "firstLeaseWaitNanos", firstLeaseWaitNanos, DEFAULT_WAIT, FIRST_LEASE_WAIT_NANOS_MAX);
  }

  /** Returns the length of a loan where none was set: 2.5 times to live. */
  public static long defaultLendTtl(long ttlNanos) {
    return ttlNanos * 5 / 2;
  }
}
