package dev.weir.core.quota;

import dev.weir.core.math.MulDiv;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The floors of a quota: its part {@code φ} divided among the regions by weight. */
public final class FloorSplit {
  private static final long PPM = 1_000_000;

  private FloorSplit() {}

  /**
   * Returns each region's floor.
   *
   * <p>Rates are {@code φR} by weight; bursts {@code φB} by weight, but each at least {@code
   * maxCost}, since a floor smaller than a request is useless. Where that would make all bursts
   * together larger than {@code max(B/2, what they were before)} there are no floors: zero for
   * every region. So it is with {@code φ = 0}, for strict quotas, and for a limit of zero, of which
   * a floor would never hold a token. Fractions are rounded down: the rates add up to at most
   * {@code φR}, and the order of the regions does not matter.
   *
   * @return one entry per region, in the order of the names
   */
  public static Map<String, Share> of(QuotaSpec quota, List<Region> regions) {
    Map<String, Share> natural = natural(quota, regions);
    Map<String, Share> usable = atLeastOneRequest(natural, quota.maxCostMicros());
    long most = Math.max(quota.burstMicros() / 2, burstOf(natural));
    boolean useless = quota.lease().floorPpm() == 0 || quota.rate().micros() == 0;
    if (!quota.isLeased() || useless || burstOf(usable) > most) {
      natural.replaceAll((region, share) -> Share.ZERO);
      return natural;
    }
    return usable;
  }

  private static Map<String, Share> natural(QuotaSpec quota, List<Region> regions) {
    long weights = regions.stream().mapToLong(Region::weight).sum();
    long rate = part(quota.rate().micros(), quota.lease().floorPpm(), PPM);
    long burst = part(quota.burstMicros(), quota.lease().floorPpm(), PPM);
    Map<String, Share> floors = new LinkedHashMap<>();
    regions.stream()
        .sorted(Comparator.comparing(Region::name))
        .forEach(
            region ->
                floors.put(
                    region.name(),
                    new Share(
                        part(rate, region.weight(), weights),
                        part(burst, region.weight(), weights))));
    return floors;
  }

  private static Map<String, Share> atLeastOneRequest(
      Map<String, Share> floors, long maxCostMicros) {
    Map<String, Share> usable = new LinkedHashMap<>();
    floors.forEach((region, share) -> usable.put(region, share.max(new Share(0, maxCostMicros))));
    return usable;
  }

  /** Saturates: what does not fit in a long is more than any burst. */
  private static long burstOf(Map<String, Share> floors) {
    long sum = 0;
    for (Share share : floors.values()) {
      sum += share.burstMicros();
      if (sum > Tokens.MAX_MICROS) {
        return Long.MAX_VALUE;
      }
    }
    return sum;
  }

  private static long part(long whole, long numerator, long denominator) {
    return MulDiv.down(whole, numerator, denominator);
  }
}
