package dev.weir.sim.replay;

import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.FloorSplit;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import dev.weir.sim.fleet.Allowances;
import dev.weir.sim.replay.ReplayResult.QuotaResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The buckets of a replay: judged window by window, and looked at slot by slot. */
final class Buckets {
  private final World world;
  private final List<String> names;
  private final long slotNanos;
  private final Map<BucketId, BucketTally> tallies = new LinkedHashMap<>();
  private final Map<QuotaId, Allowances> allowances = new TreeMap<>();
  private final Map<QuotaId, Map<String, Share>> floors = new HashMap<>();
  private final Map<QuotaId, Map<String, Share>> largestFloors = new HashMap<>();
  private final Map<QuotaId, Long> longestTtlNanos = new HashMap<>();
  private final Fairness fairness;
  private final double[] level;
  private double quietFloorMicros;

  /** The buckets of a world in which nobody has asked. */
  Buckets(World world, List<String> names, int slots, long slotNanos) {
    this.world = world;
    this.names = names;
    this.slotNanos = slotNanos;
    this.level = new double[slots];
    this.fairness = new Fairness(names, world.regions());
    adopt();
  }

  /** Takes in the quotas of the world; what the old ones still allow for a while is allowed. */
  void adopt() {
    fairness.regions(world.regions());
    for (QuotaSpec quota : world.domain().quotas()) {
      allow(quota);
    }
  }

  private void allow(QuotaSpec quota) {
    QuotaId id = quota.id();
    long nowNanos = world.time().nowNanos();
    Allowances its = allowances.get(id);
    boolean first = its == null;
    if (its == null) {
      its = new Allowances(world.timing().driftPpm());
      allowances.put(id, its);
    }
    long ttlNanos = longestTtlNanos.merge(id, quota.lease().ttlNanos(), Math::max);
    its.change(
        nowNanos, world.timing().takenBackAfterNanos(ttlNanos), quota.rate(), quota.burstMicros());
    Map<String, Share> now = FloorSplit.of(quota, world.regions());
    floors.put(id, now);
    Map<String, Share> largest = largestFloors.computeIfAbsent(id, unused -> new TreeMap<>());
    now.forEach((region, floor) -> largest.merge(region, floor, Share::max));
    if (!first) {
      Share sum = largest.values().stream().reduce(Share.ZERO, Share::plus);
      its.floors(nowNanos, new Rate(sum.rateMicros(), quota.rate().perNanos()), sum.burstMicros());
    }
  }

  private BucketTally tally(BucketId id, int slot) {
    BucketTally tally = tallies.get(id);
    if (tally == null) {
      tally = new BucketTally(id, allowances(id.quota()), names.size());
      tallies.put(id, tally);
    }
    if (tally.slot() != slot) {
      fold(tally);
      tally.enter(slot);
    }
    return tally;
  }

  private Allowances allowances(QuotaId quota) {
    Allowances its = allowances.get(quota);
    if (its == null) {
      throw new IllegalStateException("no quota " + quota);
    }
    return its;
  }

  void asked(Request request, int region, int slot) {
    for (BucketId id : request.subject().buckets()) {
      BucketTally tally = tally(id, slot);
      tally.askedMicros[region] += request.costMicros();
      tally.askedInAllMicros += request.costMicros();
      tally.contended |= !request.oracleAdmits;
    }
  }

  void admitted(Request request, int region, int slot, long nowNanos) {
    for (BucketId id : request.subject().buckets()) {
      BucketTally tally = tally(id, slot);
      tally.admittedMicros[region] += request.costMicros();
      tally.judge.admitted(nowNanos, request.costMicros());
      level[slot] = Math.max(level[slot], tally.judge.level());
    }
  }

  /** Adds up what a slot that is over says. */
  private void fold(BucketTally tally) {
    if (!tally.contended) {
      return;
    }
    fairness.add(tally);
    QuotaSpec quota = world.quota(tally.id);
    Map<String, Share> its = floors.getOrDefault(quota.id(), Map.of());
    for (int i = 0; i < names.size(); i++) {
      Share floor = its.getOrDefault(names.get(i), Share.ZERO);
      double made = (double) floor.rateMicros() * slotNanos / quota.rate().perNanos();
      quietFloorMicros += Math.max(0, made - tally.admittedMicros[i]);
    }
  }

  /** The replay is over: the last slots are, too. */
  void close() {
    tallies.values().forEach(this::fold);
  }

  double jain() {
    return fairness.jain();
  }

  long quietFloorMicros() {
    return (long) quietFloorMicros;
  }

  Series level() {
    return new Series(level);
  }

  /** The first so many that were asked for. */
  List<BucketId> first(int many) {
    return tallies.keySet().stream().limit(many).toList();
  }

  long askedMicros(BucketId id) {
    BucketTally tally = tallies.get(id);
    return tally == null ? 0 : tally.askedInAllMicros;
  }

  List<QuotaResult> quotas(long fromNanos, long toNanos) {
    List<QuotaResult> results = new ArrayList<>();
    for (Map.Entry<QuotaId, Allowances> each : allowances.entrySet()) {
      results.add(quota(each.getKey(), each.getValue().mostMicros(fromNanos, toNanos)));
    }
    return results;
  }

  private QuotaResult quota(QuotaId id, long mostMicros) {
    int buckets = 0;
    double bound = 0;
    long admitted = 0;
    long overshoot = 0;
    long worstAtNanos = 0;
    double worstLevel = 0;
    for (BucketTally tally : tallies.values()) {
      if (tally.id.quota().equals(id)) {
        buckets++;
        bound += mostMicros;
        admitted += tally.judge.totalMicros();
        long excess = tally.judge.excessMicros(names.size() + 1);
        if (excess > overshoot) {
          overshoot = excess;
          worstAtNanos = tally.judge.worstAtNanos();
        }
        worstLevel = Math.max(worstLevel, tally.judge.worstLevel());
      }
    }
    return new QuotaResult(
        id.name(), buckets, admitted, (long) bound, overshoot, worstAtNanos, worstLevel);
  }

  /** The regions in force now. */
  List<Region> regions() {
    return world.regions();
  }
}
