package dev.weir.core.lease;

import dev.weir.core.math.Saturating;

/**
 * What an agent holds and wants of a quota, over all its buckets that the coordinator knows.
 *
 * @param leases how many of them have a lease
 * @param grantedMicros micro-tokens per second leased
 * @param wantedMicros micro-tokens per second asked for in them, as measured last; it may be met by
 *     floors too
 * @param soonestEndNanos time left of the lease that ends first; 0 without leases
 */
public record HeldSum(int leases, long grantedMicros, long wantedMicros, long soonestEndNanos) {
  /** Of a quota nothing is known of at the coordinator. */
  public static final HeldSum NOTHING = new HeldSum(0, 0, 0, 0);

  HeldSum plus(HeldSum other) {
    return new HeldSum(
        leases + other.leases,
        Saturating.plus(grantedMicros, other.grantedMicros),
        Saturating.plus(wantedMicros, other.wantedMicros),
        leases == 0 || (other.leases > 0 && other.soonestEndNanos < soonestEndNanos)
            ? other.soonestEndNanos
            : soonestEndNanos);
  }
}
