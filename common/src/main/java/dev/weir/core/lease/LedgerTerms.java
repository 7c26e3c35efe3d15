package dev.weir.core.lease;

import dev.weir.core.math.Check;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import java.util.Map;

/**
 * What a ledger must know of its quota. Every step is given the terms of its time; a ledger adopts
 * them when they differ from those it has (S11).
 *
 * @param whole the quota's rate and burst
 * @param perNanos the unit of every rate in here
 * @param maxCostMicros the largest cost of one request; shares are whole multiples of it
 * @param ttlNanos how long a lease is valid
 * @param longestTtlNanos the longest time to live of any version that may still be in force
 * @param floors what all floors count for: of every region the largest version it may still use
 * @param regions the regions that may hold leases
 * @param timing drift and guard
 * @param sinceNanos when these terms came into force, on the owner's clock
 */
public record LedgerTerms(
    Share whole,
    long perNanos,
    long maxCostMicros,
    long ttlNanos,
    long longestTtlNanos,
    Share floors,
    Map<String, RegionTerms> regions,
    LeaseTiming timing,
    long sinceNanos) {
  /** A bucket that needs longer than this to refill is slow: its tokens are given out sparingly. */
  private static final long SLOW_NANOS = 60_000_000_000L;

  public LedgerTerms {
    Check.inRange("perNanos", perNanos, 1, Long.MAX_VALUE);
    Check.inRange("maxCostMicros", maxCostMicros, 1, Long.MAX_VALUE);
    Check.inRange("longestTtlNanos", longestTtlNanos, ttlNanos, Long.MAX_VALUE);
    regions = Map.copyOf(regions);
  }

  /** The same terms, in force since another instant of the owner's clock. */
  public LedgerTerms since(long nanos) {
    return new LedgerTerms(
        whole, perNanos, maxCostMicros, ttlNanos, longestTtlNanos, floors, regions, timing, nanos);
  }

  /** What is not floors: the most that pool and leases share. */
  public Share leasable() {
    return whole.minusOrZero(floors);
  }

  /** Whether the bucket needs more than a minute to refill, so that its level must survive (S9). */
  public boolean isSlow() {
    return isSlow(whole, perNanos);
  }

  /** Whether a bucket of this size needs more than a minute to refill. */
  public static boolean isSlow(Share whole, long perNanos) {
    return new Rate(whole.rateMicros(), perNanos).nanosToMint(whole.burstMicros()) > SLOW_NANOS;
  }

  /** The floor that a holder may use beside its lease. */
  public Share floorOf(HolderId who) {
    return region(who.region()).floorOf(who.boot());
  }

  /** The largest floor that a holder may still use beside its lease (S11). */
  Share largestFloorOf(HolderId who) {
    return region(who.region()).largestFloorOf(who.boot());
  }

  RegionTerms region(String name) {
    RegionTerms known = regions.get(name);
    return known == null ? new RegionTerms(0, Share.ZERO, Share.ZERO, 0, true) : known;
  }
}
