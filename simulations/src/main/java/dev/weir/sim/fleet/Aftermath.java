package dev.weir.sim.fleet;

import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.Desk;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * What must be true of a fleet some time after the last fault: nothing of a quota is lost for ever,
 * and whoever asks gets it.
 *
 * <p>First nothing is asked for until every lease, floor and loan from before has run out and
 * learning is over. Then the pool and the floors of the regions there are make up the whole quota,
 * and where it refills within that time they are full. Then all regions ask for all they can get:
 * within {@link #SETTLED_NANOS} they are to use {@link #USED_PART} of what the quota makes.
 */
final class Aftermath {
  /** Messages that were held up and machines that were paused are back by then. */
  private static final long STRAGGLERS_NANOS = 9 * Fleet.SECOND;

  /** Beyond {@code floorTtl}: leases, learning, and floors that wait for both to grow. */
  private static final long QUIET_NANOS = 15 * Fleet.SECOND;

  /** From the first request on: after that all that the quota makes is used. */
  static final long SETTLED_NANOS = Fleet.SECOND;

  /** Of what the quota makes, this is used when all regions ask for more. */
  static final double USED_PART = 0.95;

  private static final long MEASURED_NANOS = 2 * Fleet.SECOND;
  private static final long ASKS_EVERY_NANOS = 5 * Fleet.MILLIS;

  /** Links are no slower than this afterwards, one way. */
  private static final long DELAY_MOST_NANOS = 20 * Fleet.MILLIS;

  /** A quota is judged by its use where so many of its largest requests fit into the time. */
  private static final long REQUESTS_MIN = 50;

  private final Fleet fleet;
  private final List<String> names;
  private final Consumer<String> starts;
  private final List<String> broken = new ArrayList<>();

  /**
   * The aftermath in a fleet.
   *
   * @param names of all regions there ever were
   * @param starts starts an agent in a region
   */
  Aftermath(Fleet fleet, List<String> names, Consumer<String> starts) {
    this.fleet = fleet;
    this.names = List.copyOf(names);
    this.starts = starts;
  }

  /** Lets it happen, and says what is not as it must be. */
  List<String> judge(QuotaSpec quota, List<Region> regions) {
    calm();
    fleet.runFor(STRAGGLERS_NANOS);
    calm();
    if (!fleet.coordinator().isUp()) {
      fleet.startCoordinator(Desk.Start.AGAIN, 0);
    }
    for (String name : names) {
      fleet.coordinator().drain(name, false);
    }
    for (Region region : regions) {
      if (fleet.processes(region.name()).isEmpty()) {
        starts.accept(region.name());
      }
    }
    fleet.runFor(STRAGGLERS_NANOS);
    if (fleet.coordinator().disk().lost) {
      names.forEach(this::releaseFloor);
    }
    fleet.runFor(quota.lease().floorTtlNanos() + QUIET_NANOS);
    for (BucketId bucket : fleet.buckets()) {
      capacity(bucket, quota);
    }
    progress(quota, regions);
    return List.copyOf(broken);
  }

  /** After lost data floors wait for an operator who knows that nobody uses them. */
  private void releaseFloor(String region) {
    if (fleet.processes(region).stream().allMatch(agent -> agent.edge().floorVersion() == 0)) {
      fleet.coordinator().releaseFloor(region);
    }
  }

  private void calm() {
    for (String name : names) {
      Network.Link link = fleet.network().link(name);
      link.upCut = false;
      link.downCut = false;
      link.loss = 0;
      link.twice = 0;
      link.slow = 0;
      link.jitterNanos = 0;
      link.delayNanos = Math.min(link.delayNanos, DELAY_MOST_NANOS);
    }
  }

  /** Pool and floors are the quota. */
  private void capacity(BucketId bucket, QuotaSpec quota) {
    Bucket pool = fleet.coordinator().pool(bucket);
    if (pool == null) {
      broken.add("afterwards " + bucket + " has no pool");
      return;
    }
    long per = quota.rate().perNanos();
    long rate = pool.rate().toPer(per, true).micros();
    long burst = pool.burstMicros();
    long level = pool.levelMicros();
    StringBuilder parts = new StringBuilder("pool ").append(of(rate, burst, level));
    for (SimAgent agent : fleet.everyAgent()) {
      Share share = agent.share(bucket, per);
      rate += share.rateMicros();
      burst += share.burstMicros();
      level += agent.level(bucket);
      parts.append(", ").append(agent.region()).append(' ');
      parts.append(of(share.rateMicros(), share.burstMicros(), agent.level(bucket)));
    }
    // Shares are rounded down to whole micro-tokens.
    long rounding = fleet.everyAgent().size() + 1L;
    if (rate < quota.rate().micros() - rounding || burst < quota.burstMicros() - rounding) {
      broken.add("afterwards part of " + bucket + " is lost for ever: " + parts);
    } else if (refillsMeanwhile(quota) && level < burst - rounding) {
      broken.add("afterwards " + bucket + " is not full: " + parts);
    }
  }

  private static boolean refillsMeanwhile(QuotaSpec quota) {
    return quota.rate().minted(QUIET_NANOS / 2) >= quota.burstMicros();
  }

  /** All that the quota makes is used when all ask for more. */
  private void progress(QuotaSpec quota, List<Region> regions) {
    Rate rate = quota.rate();
    long made = rate.minted(MEASURED_NANOS);
    boolean roomForAll =
        quota.burstMicros() / quota.maxCostMicros() >= 2L * regions.size()
            && quota.burstMicros() >= rate.minted(50 * Fleet.MILLIS);
    if (!roomForAll || made / quota.maxCostMicros() < REQUESTS_MIN) {
      return;
    }
    long endNanos = fleet.time().nowNanos() + SETTLED_NANOS + MEASURED_NANOS;
    for (Region region : regions) {
      ask(region.name(), quota.maxCostMicros(), endNanos);
    }
    fleet.runFor(SETTLED_NANOS);
    List<Long> before = fleet.buckets().stream().map(this::admitted).toList();
    fleet.runFor(MEASURED_NANOS);
    for (int i = 0; i < before.size(); i++) {
      BucketId bucket = fleet.buckets().get(i);
      double used = (admitted(bucket) - before.get(i)) / (double) made;
      if (used < USED_PART) {
        broken.add(
            String.format(
                Locale.ROOT,
                "afterwards all ask for all of %s and get %.1f %% of it",
                bucket,
                used * 100));
      }
    }
  }

  private long admitted(BucketId bucket) {
    return fleet.judge(bucket).totalMicros();
  }

  private void ask(String region, long costMicros, long untilNanos) {
    for (SimAgent agent : fleet.processes(region)) {
      fleet.buckets().forEach(bucket -> agent.drain(bucket, costMicros));
    }
    if (fleet.time().nowNanos() < untilNanos) {
      fleet.time().after(ASKS_EVERY_NANOS, () -> ask(region, costMicros, untilNanos));
    }
  }

  private static String of(long rateMicros, long burstMicros, long levelMicros) {
    return String.format(
        Locale.ROOT, "%.3f/s %.3f at %.3f", rateMicros / 1e6, burstMicros / 1e6, levelMicros / 1e6);
  }
}
