package dev.weir.core.bound;

import dev.weir.core.quota.FloorSplit;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import java.math.BigInteger;
import java.util.List;

/** What a change of a quota may add for a while (S11), measured against the new values. */
public final class ChangeTerms {
  private ChangeTerms() {}

  /**
   * A quota whose rate or burst was lowered: {@code (R−R′)·ttl + (B−B′)} until the leases given
   * before have ended, and for regions that are cut off {@code φ(R−R′)·floorTtl}.
   *
   * @param regions the domain's regions before the change
   */
  public static BoundTerm lowered(QuotaSpec before, QuotaSpec after, List<Region> regions) {
    Rate fall = lessThan(before.rate(), after.rate());
    long burst = Math.max(0, before.burstMicros() - after.burstMicros());
    long leases = plus(Figures.mintedAtMost(fall, before.lease().ttlNanos()), burst);
    long floors = floorPart(fall, before, regions);
    return BoundTerm.once(
        "quota-lowered",
        plus(leases, floors),
        "Once: "
            + Figures.tokens(leases)
            + " until the leases given before the change have ended, and "
            + Figures.tokens(floors)
            + " by floors of regions cut off since before it, within "
            + Figures.duration(before.lease().floorTtlNanos())
            + ".");
  }

  /**
   * A quota removed and made again, or one whose match or enforcement changed: the new one starts
   * at once, beside what is left of the old one, {@code R·ttl + B}, and for regions that are cut
   * off {@code φR·floorTtl}.
   *
   * @param regions the domain's regions before the change
   */
  public static BoundTerm replaced(QuotaSpec before, List<Region> regions) {
    long leases =
        plus(Figures.mintedAtMost(before.rate(), before.lease().ttlNanos()), before.burstMicros());
    long floors = floorPart(before.rate(), before, regions);
    return BoundTerm.once(
        "quota-replaced",
        plus(leases, floors),
        "Once: "
            + Figures.tokens(leases)
            + " by leases of the quota that stood here before, and "
            + Figures.tokens(floors)
            + " by its floors in regions cut off since, within "
            + Figures.duration(before.lease().floorTtlNanos())
            + ".");
  }

  /** {@code φ·rate·floorTtl}, with {@code φ} as the floors really take it. */
  private static long floorPart(Rate rate, QuotaSpec quota, List<Region> regions) {
    long floorMicros = 0;
    for (Share floor : FloorSplit.of(quota, regions).values()) {
      floorMicros = plus(floorMicros, floor.rateMicros());
    }
    long whole = quota.rate().micros();
    if (whole == 0 || floorMicros == 0) {
      return 0;
    }
    BigInteger minted =
        BigInteger.valueOf(Figures.mintedAtMost(rate, quota.lease().floorTtlNanos()))
            .multiply(BigInteger.valueOf(floorMicros))
            .add(BigInteger.valueOf(whole - 1))
            .divide(BigInteger.valueOf(whole));
    return minted.bitLength() < Long.SIZE ? minted.longValue() : Long.MAX_VALUE;
  }

  /**
   * How far {@code after} is below {@code before}, rounded up to {@code before}'s unit; 0 where it
   * is not.
   */
  private static Rate lessThan(Rate before, Rate after) {
    BigInteger left =
        BigInteger.valueOf(after.micros()).multiply(BigInteger.valueOf(before.perNanos()));
    BigInteger kept = left.divide(BigInteger.valueOf(after.perNanos()));
    BigInteger fall = BigInteger.valueOf(before.micros()).subtract(kept).max(BigInteger.ZERO);
    return new Rate(fall.longValueExact(), before.perNanos());
  }

  private static long plus(long micros, long more) {
    long sum = micros + more;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
