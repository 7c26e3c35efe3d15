package dev.weir.core.lease;

import dev.weir.core.math.Apportionment;
import dev.weir.core.math.MulDiv;
import dev.weir.core.quota.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Weighted max-min over demand (section 3 of the design): small wants are met, the rest is shared
 * by weight among those that want more. Of what is left over those that are active get a half, so
 * that a burst finds room; the other half waits in the pool for a region that begins to ask.
 */
final class FairShare {
  private FairShare() {}

  /**
   * Divides what pool and leases share.
   *
   * @param leasable rate and burst to divide
   * @param unitMicros bursts are whole multiples of this, the largest cost of a request
   * @return a share for every claim; a claim without demand gets none; the sums stay within {@code
   *     leasable}
   */
  static Map<HolderId, Share> divide(Share leasable, long unitMicros, List<Claim> claims) {
    List<Claim> active = new ArrayList<>();
    for (Claim claim : claims) {
      if (claim.demandRateMicros() > 0) {
        active.add(claim);
      }
    }
    long units = leasable.burstMicros() / unitMicros;
    if (units < active.size()) {
      // Not room for one request each: it goes round, those first that have waited longest.
      active.sort(
          Comparator.comparingLong(Claim::waitedNanos).reversed().thenComparing(Claim::holder));
      active = new ArrayList<>(active.subList(0, (int) units));
    }
    long[] rates = rates(leasable.rateMicros(), active);
    Map<HolderId, Share> shares = new HashMap<>();
    if (!active.isEmpty()) {
      // Everybody has room for one request; burst follows rate beyond that.
      long given = 0;
      for (long rate : rates) {
        given += rate;
      }
      long spare = MulDiv.down(units - active.size(), given, Math.max(1, leasable.rateMicros()));
      long[] more = Apportionment.byWeight(spare, positive(rates));
      for (int i = 0; i < rates.length; i++) {
        shares.put(
            active.get(i).holder(),
            new Share(rates[i], Math.multiplyExact(more[i] + 1, unitMicros)));
      }
    }
    for (Claim claim : claims) {
      shares.putIfAbsent(claim.holder(), Share.ZERO);
    }
    return shares;
  }

  private static long[] positive(long[] rates) {
    long[] weights = rates.clone();
    for (int i = 0; i < weights.length; i++) {
      weights[i] = Math.max(1, weights[i]);
    }
    return weights;
  }

  private static long[] rates(long capacityMicros, List<Claim> claims) {
    long low = 0;
    long high = Long.MAX_VALUE;
    // The highest water level, as rate per unit of weight, that the capacity still carries.
    while (low < high) {
      long middle = low + (high - low) / 2 + 1;
      if (needed(claims, middle, capacityMicros) <= capacityMicros) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    long[] rates = new long[claims.size()];
    long left = capacityMicros;
    for (int i = 0; i < rates.length; i++) {
      rates[i] = above(claims.get(i), low);
      left -= rates[i];
    }
    boolean enough = needed(claims, Long.MAX_VALUE, capacityMicros) <= capacityMicros;
    if (left > 0 && rates.length > 0) {
      long[] weights = claims.stream().mapToLong(Claim::weight).toArray();
      long[] extra = Apportionment.byWeight(enough ? left / 2 : left, weights);
      for (int i = 0; i < rates.length; i++) {
        rates[i] += extra[i];
      }
    }
    return rates;
  }

  /** Sum of what the claims take beyond their floors at a water level; stops above the capacity. */
  private static long needed(List<Claim> claims, long levelMicros, long capacityMicros) {
    long sum = 0;
    for (Claim claim : claims) {
      long part = above(claim, levelMicros);
      if (part > capacityMicros - sum) {
        return Long.MAX_VALUE;
      }
      sum += part;
    }
    return sum;
  }

  private static long above(Claim claim, long levelMicros) {
    long entitled =
        levelMicros > Long.MAX_VALUE / claim.weight()
            ? Long.MAX_VALUE
            : levelMicros * claim.weight();
    return Math.max(0, Math.min(claim.demandRateMicros(), entitled) - claim.floorRateMicros());
  }
}
