package dev.weir.core.lease;

import dev.weir.core.quota.Share;

/**
 * One region in a quota.
 *
 * @param weight its weight among regions that want more than there is
 * @param floor its floor as given last, in the unit of the quota
 * @param largestFloor the largest it may still use (S11), in the same unit
 * @param floorBoot the run of its agent that may use the floor; 0 for none
 * @param drained whether it gets no leases and gives its own back
 */
public record RegionTerms(
    int weight, Share floor, Share largestFloor, long floorBoot, boolean drained) {
  /** The largest floor that this run of the region's agent may still use. */
  Share largestFloorOf(long boot) {
    return boot == floorBoot ? largestFloor : Share.ZERO;
  }

  /** The floor that this run of the region's agent may use. */
  Share floorOf(long boot) {
    return boot == floorBoot ? floor : Share.ZERO;
  }
}
