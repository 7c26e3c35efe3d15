package dev.weir.sim.baseline;

import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import java.util.List;

/** Parts of a quota. */
final class Shares {
  private static final double SECOND_NANOS = 1e9;

  private Shares() {}

  /** A region's part by weight; nothing for one that is not configured. */
  static Share byWeight(QuotaSpec quota, List<Region> regions, String region) {
    long all = regions.stream().mapToLong(Region::weight).sum();
    long its =
        regions.stream().filter(each -> each.name().equals(region)).mapToLong(Region::weight).sum();
    return all == 0 ? Share.ZERO : part(quota, (double) its / all);
  }

  /** A part of a quota, in {@code [0, 1]}; burst as rate. */
  static Share part(QuotaSpec quota, double part) {
    return new Share((long) (quota.rate().micros() * part), (long) (quota.burstMicros() * part));
  }

  /** Micro-tokens in a share's unit as tokens per second. */
  static double perSecond(long rateMicros, QuotaSpec quota) {
    return rateMicros / 1e6 * SECOND_NANOS / quota.rate().perNanos();
  }
}
