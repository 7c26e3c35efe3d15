package dev.weir.sim.fleet;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongToDoubleFunction;

/**
 * A fleet without faults under traffic that is told region by region, beside one central bucket
 * that sees every request at once: the oracle.
 */
final class Town {
  static final BucketId BUCKET = new BucketId(new QuotaId("shop", "api"), "");
  static final long MILLIS = Fleet.MILLIS;
  static final long SECOND = Fleet.SECOND;

  final Fleet fleet;
  final QuotaSpec quota;
  private final long costMicros;
  private final Random random;
  private final List<Region> regions = new ArrayList<>();
  private final Map<String, Tally> tallies = new TreeMap<>();
  private Bucket oracle;
  private long oracleAdmitted;
  private long oracleMore;

  /** What one region asked for and got, in requests. */
  static final class Tally {
    long asked;
    long admitted;
    long refused;
    final List<Long> admittedAtNanos = new ArrayList<>();
  }

  /**
   * A town in which the round trip to the coordinator takes so long.
   *
   * @param perSecond tokens per second
   */
  Town(
      long seed,
      double perSecond,
      double burst,
      int floorPpm,
      long roundTripNanos,
      String... names) {
    this(seed, perSecond, burst, floorPpm, roundTripNanos, Rules.ALL, names);
  }

  Town(
      long seed,
      double perSecond,
      double burst,
      int floorPpm,
      long roundTripNanos,
      Rules rules,
      String... names) {
    this(seed, perSecond, burst, 1, floorPpm, roundTripNanos, rules, names);
  }

  /**
   * A town where every request costs so much.
   *
   * @param cost tokens
   */
  Town(
      long seed,
      double perSecond,
      double burst,
      long cost,
      int floorPpm,
      long roundTripNanos,
      Rules rules,
      String... names) {
    costMicros = cost * 1_000_000;
    random = new Random(seed);
    Rate rate = new Rate(Math.round(perSecond * 1e6), SECOND);
    quota =
        QuotaSpec.leased(BUCKET.quota(), List.of(), rate, Math.round(burst * 1e6))
            .withMaxCost(costMicros)
            .withLease(new LeaseTerms(10 * SECOND, floorPpm, true, 600 * SECOND, 25 * SECOND, -1));
    fleet = new Fleet(LeaseTiming.DEFAULT, rules, random, random.nextLong(), 0, List.of(BUCKET));
    oracle = Bucket.full(rate, quota.burstMicros(), 0);
    for (String name : names) {
      regions.add(new Region(name, 1));
      fleet.network().link(name).delayNanos = roundTripNanos / 2;
      tallies.put(name, new Tally());
    }
    fleet.quotas(regions, List.of(quota));
    fleet.startCoordinator(Desk.Start.FIRST, 0);
    long boot = 1;
    for (String name : names) {
      SimClock clock = new SimClock(fleet.time(), random.nextLong(), 0, 0);
      long phase = random.nextInt(100) * MILLIS;
      long number = boot++;
      fleet
          .time()
          .after(
              phase,
              () -> fleet.startAgent(name, "folder-" + name, number, clock, QuotaBook.EMPTY));
    }
    fleet.runFor(SECOND);
  }

  SimAgent agent(String region) {
    return Objects.requireNonNull(fleet.agent(region));
  }

  Tally tally(String region) {
    return Objects.requireNonNull(tallies.get(region));
  }

  long nowNanos() {
    return fleet.time().nowNanos();
  }

  /** Requests at random, so many per second as a function of true time. */
  void traffic(String region, LongToDoubleFunction perSecond) {
    double rate = perSecond.applyAsDouble(nowNanos());
    if (rate <= 0) {
      fleet.time().after(SECOND / 1_000, () -> traffic(region, perSecond));
      return;
    }
    double seconds = -StrictMath.log(1 - random.nextDouble()) / rate;
    long nanos = (long) (seconds * SECOND);
    if (nanos > 20 * MILLIS) {
      // The rate may change before then; without memory, asking again changes nothing.
      fleet.time().after(20 * MILLIS, () -> traffic(region, perSecond));
      return;
    }
    fleet
        .time()
        .after(
            nanos,
            () -> {
              ask(region);
              traffic(region, perSecond);
            });
  }

  /** The same evenly spaced. */
  void evenTraffic(String region, LongToDoubleFunction perSecond) {
    double rate = perSecond.applyAsDouble(nowNanos());
    if (rate > 0) {
      ask(region);
    }
    long nextNanos = rate > 0 ? (long) (SECOND / rate) : SECOND / 1_000;
    fleet.time().after(nextNanos, () -> evenTraffic(region, perSecond));
  }

  /** So many at once, every so often. */
  void lumps(String region, int requests, long everyNanos) {
    fleet
        .time()
        .after(
            everyNanos,
            () -> {
              for (int i = 0; i < requests; i++) {
                ask(region);
              }
              lumps(region, requests, everyNanos);
            });
  }

  private void ask(String region) {
    Tally tally = tally(region);
    tally.asked++;
    boolean admitted = agent(region).take(BUCKET, costMicros);
    if (admitted) {
      tally.admitted++;
      tally.admittedAtNanos.add(nowNanos());
    } else {
      tally.refused++;
    }
    Bucket.Taking taking = oracle.take(costMicros, nowNanos());
    oracle = taking.after();
    if (taking.admitted()) {
      oracleAdmitted++;
      if (!admitted) {
        oracleMore++;
      }
    }
  }

  /** Forgets what was counted so far. */
  void count() {
    tallies.replaceAll((region, tally) -> new Tally());
    oracleAdmitted = 0;
    oracleMore = 0;
  }

  long admitted() {
    return tallies.values().stream().mapToLong(tally -> tally.admitted).sum();
  }

  long refused() {
    return tallies.values().stream().mapToLong(tally -> tally.refused).sum();
  }

  long asked() {
    return tallies.values().stream().mapToLong(tally -> tally.asked).sum();
  }

  /** Part of what the oracle admitted. */
  double use() {
    return (double) admitted() / oracleAdmitted;
  }

  /** Part of all requests that the oracle admitted and the fleet refused. */
  double wronglyRefused() {
    return (double) oracleMore / asked();
  }

  /** Jain's index of what regions got: 1 when all got the same. */
  double jain() {
    double sum = 0;
    double squares = 0;
    for (Tally tally : tallies.values()) {
      sum += tally.admitted;
      squares += (double) tally.admitted * tally.admitted;
    }
    return sum * sum / (tallies.size() * squares);
  }
}
