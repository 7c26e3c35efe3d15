package dev.weir.core.lease;

import dev.weir.core.quota.Share;

/**
 * One region in a quota.
 *
 * @param weight its weight among regions that want more than there is
 * @param floor its floor now, in the unit of the quota
 * @param floorBoot the run of its agent that may use the floor; 0 for none
 * @param drained whether it gets no leases and gives its own back
 */
public record RegionTerms(int weight, Share floor, long floorBoot, boolean drained) {
  /** The floor that this run of the region's agent may use. */
  Share floorOf(long boot) {
    return boot == floorBoot ? floor : Share.ZERO;
  }
}
