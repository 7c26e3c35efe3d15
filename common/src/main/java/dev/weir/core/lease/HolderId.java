package dev.weir.core.lease;

/**
 * One run of one region's agent.
 *
 * @param region the region
 * @param boot number of the run
 */
public record HolderId(String region, long boot) implements Comparable<HolderId> {
  @Override
  public int compareTo(HolderId other) {
    int byRegion = region.compareTo(other.region);
    return byRegion != 0 ? byRegion : Long.compare(boot, other.boot);
  }
}
