package dev.weir.core.lease;

import dev.weir.core.message.FloorShare;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import java.util.HashMap;
import java.util.Map;

/**
 * Who may use which floor: what must be on disk before an answer gives or renews one (S8, S11).
 *
 * @param version the newest version given to any region
 * @param regions by region name
 */
public record FloorBook(long version, Map<String, RegionFloors> regions) {
  /** Nothing was ever given. */
  public static final FloorBook EMPTY = new FloorBook(0, Map.of());

  public FloorBook {
    regions = Map.copyOf(regions);
  }

  /**
   * One region's floors.
   *
   * @param folder the data folder of the process that holds them; empty for nobody
   * @param boot its run; 0 for nobody, -1 for somebody of whom all is lost
   * @param newestBoot the newest run of the region that was seen
   * @param version version of {@code granted}
   * @param granted the floors as given last
   * @param counted of every quota the largest floor the region may still use: all versions since
   *     the one it named (S11)
   */
  public record RegionFloors(
      String folder,
      long boot,
      long newestBoot,
      long version,
      Map<QuotaId, FloorShare> granted,
      Map<QuotaId, FloorShare> counted) {
    /** Nobody's, and never given. */
    public static final RegionFloors NONE = new RegionFloors("", 0, 0, 0, Map.of(), Map.of());

    /** The run that holds floors of which nothing is known any more. */
    private static final long SOMEBODY = -1;

    public RegionFloors {
      granted = Map.copyOf(granted);
      counted = Map.copyOf(counted);
    }

    /** Of a region whose entry was lost: somebody may have these. */
    static RegionFloors lost(Map<QuotaId, FloorShare> floors) {
      return new RegionFloors("", SOMEBODY, 0, 0, floors, floors);
    }

    boolean isLost() {
      return boot == SOMEBODY;
    }

    RegionFloors withNewestBoot(long boots) {
      long newest = Math.max(newestBoot, boots);
      return new RegionFloors(folder, boot, newest, version, granted, counted);
    }

    RegionFloors withCounted(Map<QuotaId, FloorShare> floors) {
      return new RegionFloors(folder, boot, newestBoot, version, granted, floors);
    }

    /** Another process holds them: what the one before had not yet named is no longer in use. */
    RegionFloors heldBy(String newFolder, long newBoot) {
      return new RegionFloors(
          newFolder, newBoot, newestBoot, version, granted, isHeld() ? granted : counted);
    }

    /** Nobody holds them; the next holder may have so much of them at once. */
    RegionFloors released(Map<QuotaId, FloorShare> left, long leftVersion) {
      return new RegionFloors("", 0, newestBoot, leftVersion, left, counted);
    }

    /** A new version is given; until it is named, the old ones may still be in use. */
    RegionFloors granting(long newVersion, Map<QuotaId, FloorShare> floors) {
      Map<QuotaId, FloorShare> largest = new HashMap<>(counted);
      floors.forEach((quota, floor) -> largest.merge(quota, floor, RegionFloors::larger));
      return new RegionFloors(folder, boot, newestBoot, newVersion, floors, largest);
    }

    private static FloorShare larger(FloorShare one, FloorShare other) {
      long per = other.perNanos();
      Share old =
          new Share(
              new Rate(one.share().rateMicros(), one.perNanos()).toPer(per, true).micros(),
              one.share().burstMicros());
      return new FloorShare(
          per, old.max(other.share()), Math.max(one.ttlNanos(), other.ttlNanos()));
    }

    boolean isHeld() {
      return boot != 0;
    }

    boolean isHeldBy(String aFolder, long aBoot) {
      return boot == aBoot && folder.equals(aFolder);
    }
  }
}
