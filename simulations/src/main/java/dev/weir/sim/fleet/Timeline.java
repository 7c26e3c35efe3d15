package dev.weir.sim.fleet;

import dev.weir.core.Rules;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A whole fleet moved along a timeline by hand: one quota, regions whose agents spend all they get
 * or nothing, and links that are cut when they are told to be. Times are true seconds.
 */
final class Timeline {
  static final BucketId BUCKET = new BucketId(new QuotaId("shop", "api"), "");
  private static final long SPENDS_EVERY_NANOS = 5 * Fleet.MILLIS;

  final Fleet fleet;
  private final int agentDriftPpm;
  private final Set<String> greedy = new TreeSet<>();
  private QuotaSpec quota;
  private List<Region> regions;
  private long boots;

  /** A fleet that begins for the first time, with an agent per region. */
  Timeline(Rules rules, QuotaSpec quota, Region... regions) {
    this(0, rules, quota, regions);
  }

  /**
   * The same with clocks that drift apart.
   *
   * @param driftPpm by how much the coordinator's clock runs fast and those of the agents slow
   */
  Timeline(int driftPpm, Rules rules, QuotaSpec quota, Region... regions) {
    this.agentDriftPpm = -driftPpm;
    this.quota = quota;
    this.regions = List.of(regions);
    fleet = new Fleet(LeaseTiming.DEFAULT, rules, new Random(1), 0, driftPpm, List.of(BUCKET));
    fleet.quotas(this.regions, List.of(quota));
    fleet.startCoordinator(Desk.Start.FIRST, 0);
    for (Region region : regions) {
      starts(region.name());
    }
    spend();
  }

  /** A quota of so many tokens per second and so much burst, of requests that cost one token. */
  static QuotaSpec quota(double perSecond, double burst, int floorPpm, long ttlSeconds) {
    return QuotaSpec.leased(
            BUCKET.quota(),
            List.of(),
            new Rate(Math.round(perSecond * 1e6), Fleet.SECOND),
            Math.round(burst * 1e6))
        .withMaxCost(1_000_000)
        .withLease(lease(floorPpm, ttlSeconds));
  }

  static LeaseTerms lease(int floorPpm, long ttlSeconds) {
    long ttlNanos = ttlSeconds * Fleet.SECOND;
    return new LeaseTerms(
        ttlNanos,
        floorPpm,
        true,
        Math.max(60 * Fleet.SECOND, 10 * ttlNanos),
        LeaseTerms.defaultLendTtl(ttlNanos),
        LeaseTerms.DEFAULT_WAIT);
  }

  /** Lets everything happen until then. */
  Timeline at(double seconds) {
    fleet.runFor(Math.round(seconds * 1e9) - fleet.time().nowNanos());
    return this;
  }

  /** A process with a folder of its own starts in a region, and knows the quotas. */
  void starts(String region) {
    boots++;
    SimClock clock = new SimClock(fleet.time(), 0, 0, agentDriftPpm);
    SimAgent unused = fleet.startAgent(region, region + "-" + boots, boots, clock, fleet.book());
  }

  SimAgent agent(String region) {
    return Objects.requireNonNull(fleet.agent(region));
  }

  /** From now on these spend all they get. */
  Timeline greedy(String... names) {
    greedy.addAll(List.of(names));
    return this;
  }

  /** From now on these spend nothing. */
  Timeline idle(String... names) {
    greedy.removeAll(List.of(names));
    return this;
  }

  /** Spends all there is in a region, now. */
  Timeline spendAll(String... names) {
    for (String region : names) {
      for (SimAgent agent : fleet.processes(region)) {
        agent.drain(BUCKET, 1_000_000);
      }
    }
    return this;
  }

  /** Nothing gets through any more. */
  Timeline cut(String region) {
    return cut(region, true);
  }

  /** Requests arrive and answers do not. */
  Timeline deafen(String region) {
    return cut(region, false);
  }

  private Timeline cut(String region, boolean up) {
    Network.Link link = fleet.network().link(region);
    link.upCut = up;
    link.downCut = true;
    return this;
  }

  Timeline heal(String region) {
    Network.Link link = fleet.network().link(region);
    link.upCut = false;
    link.downCut = false;
    return this;
  }

  Timeline regions(Region... next) {
    regions = List.of(next);
    fleet.quotas(regions, List.of(quota));
    return this;
  }

  Timeline quota(QuotaSpec next) {
    quota = next;
    fleet.quotas(regions, List.of(quota));
    return this;
  }

  Timeline floors(int floorPpm) {
    return quota(quota.withLease(lease(floorPpm, quota.lease().ttlNanos() / Fleet.SECOND)));
  }

  /** The coordinator dies and begins again on its disk. */
  Timeline coordinatorRestarts() {
    fleet.coordinator().crash();
    fleet.startCoordinator(Desk.Start.AGAIN, 0);
    return this;
  }

  /**
   * By how many tokens the worst window was over; 1 where none was but more was in force somewhere
   * than the quota; 0 where all held.
   */
  double over() {
    double tokens = fleet.judge(BUCKET).excessMicros() / 1e6;
    return tokens > 0 || fleet.violations().isEmpty() ? tokens : 1;
  }

  /** Tokens admitted so far. */
  double admitted() {
    return fleet.admittedMicros() / 1e6;
  }

  private void spend() {
    greedy.forEach(this::spendAll);
    fleet.time().after(SPENDS_EVERY_NANOS, this::spend);
  }
}
