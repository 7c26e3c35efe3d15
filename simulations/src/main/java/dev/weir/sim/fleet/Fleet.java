package dev.weir.sim.fleet;

import dev.weir.core.Rules;
import dev.weir.core.bound.Invariants;
import dev.weir.core.bound.Party;
import dev.weir.core.bound.Violation;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.FloorSplit;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One coordinator and the agents of some regions on a simulated network. Whoever drives it says
 * what happens; it judges every window of what is admitted, and checks from what is really held
 * that tokens, bursts and rates never exceed the quota.
 */
public final class Fleet {
  static final long MILLIS = 1_000_000L;
  static final long SECOND = 1_000_000_000L;

  private static final long CHECKED_EVERY_NANOS = 20 * MILLIS;

  private final VirtualTime time;
  private final Rules rules;
  private final LeaseTiming timing;
  private final Faults faults;
  private final Network network;
  private final SimClock coordinatorClock;
  private final SimCoordinator coordinator;
  private final List<BucketId> buckets;
  private final Map<String, SimAgent> agents = new TreeMap<>();
  private final List<SimAgent> everyAgent = new ArrayList<>();
  private final List<OnItsWay> onTheirWay = new ArrayList<>();
  private final Map<BucketId, ChangingJudge> judges =
      new TreeMap<>(Comparator.comparing(BucketId::key));
  private final Map<BucketId, PublishedJudge> published =
      new TreeMap<>(Comparator.comparing(BucketId::key));
  private final List<String> violations = new ArrayList<>();
  private final StringBuilder trace = new StringBuilder();
  private final Map<String, Long> newestBoots = new HashMap<>();
  private boolean tracing;
  private boolean moved;
  private long checkedAtNanos;
  private long admittedMicros;
  private long refusedMicros;
  private long admittedCount;
  private long refusedCount;
  private long messages;
  private long fingerprint;
  private boolean checking = true;
  private long intervalNanos = 100 * MILLIS;
  private long timeOutNanos = SECOND;
  private QuotaBook book = QuotaBook.EMPTY;
  private long longestTtlNanos;
  private final Map<BucketId, Map<String, Share>> largestFloors = new HashMap<>();

  /** An answer that an agent may still apply. */
  private static final class OnItsWay {
    final SimAgent agent;
    final SyncAnswer answer;
    int copies;

    OnItsWay(SimAgent agent, SyncAnswer answer) {
      this.agent = agent;
      this.answer = answer;
    }
  }

  /**
   * A fleet whose clocks start at the origins given and are right.
   *
   * @param buckets those that are judged and checked; others come into being all the same as they
   *     are asked for
   */
  public Fleet(
      LeaseTiming timing,
      Rules rules,
      Random random,
      long coordinatorOriginNanos,
      int coordinatorDriftPpm,
      List<BucketId> buckets) {
    this(
        new VirtualTime(),
        new Faults(),
        timing,
        rules,
        random.nextLong(),
        coordinatorOriginNanos,
        coordinatorDriftPpm,
        buckets);
  }

  /**
   * A fleet in a world that others share: nothing of it is judged here, and all clocks are right.
   */
  Fleet(VirtualTime time, Network network, LeaseTiming timing, Rules rules) {
    this(time, new Faults(), network, timing, rules, 0, 0, List.of());
  }

  private Fleet(
      VirtualTime time,
      Faults faults,
      LeaseTiming timing,
      Rules rules,
      long networkSeed,
      long coordinatorOriginNanos,
      int coordinatorDriftPpm,
      List<BucketId> buckets) {
    this(
        time,
        faults,
        new Network(networkSeed, faults),
        timing,
        rules,
        coordinatorOriginNanos,
        coordinatorDriftPpm,
        buckets);
  }

  private Fleet(
      VirtualTime time,
      Faults faults,
      Network network,
      LeaseTiming timing,
      Rules rules,
      long coordinatorOriginNanos,
      int coordinatorDriftPpm,
      List<BucketId> buckets) {
    this.time = time;
    this.faults = faults;
    this.network = network;
    this.timing = timing;
    this.rules = rules;
    this.buckets = List.copyOf(buckets);
    this.coordinatorClock = new SimClock(time, coordinatorOriginNanos, 0, coordinatorDriftPpm);
    this.coordinator = new SimCoordinator(coordinatorClock, timing, rules);
    for (BucketId bucket : buckets) {
      judges.put(bucket, new ChangingJudge(new Allowances(timing.driftPpm())));
      published.put(bucket, new PublishedJudge(timing));
    }
  }

  VirtualTime time() {
    return time;
  }

  Rules rules() {
    return rules;
  }

  LeaseTiming agentTiming() {
    return timing;
  }

  Network network() {
    return network;
  }

  SimCoordinator coordinator() {
    return coordinator;
  }

  SimClock coordinatorClock() {
    return coordinatorClock;
  }

  List<BucketId> buckets() {
    return buckets;
  }

  QuotaBook book() {
    return book;
  }

  long timeOutNanos() {
    return timeOutNanos;
  }

  long intervalNanos() {
    return intervalNanos;
  }

  /** Whether what agents hold is checked, and so must be written down. */
  boolean isChecked() {
    return !buckets.isEmpty();
  }

  /** How many requests agents have sent. */
  long messages() {
    return messages;
  }

  ChangingJudge judge(BucketId bucket) {
    return Objects.requireNonNull(judges.get(bucket));
  }

  private PublishedJudge published(BucketId bucket) {
    return Objects.requireNonNull(published.get(bucket));
  }

  void intervals(long intervalNanos, long timeOutNanos) {
    this.intervalNanos = intervalNanos;
    this.timeOutNanos = timeOutNanos;
  }

  void checking(boolean on) {
    checking = on;
  }

  void tracing() {
    tracing = true;
  }

  /** What happened, if it was traced. */
  String trace() {
    return trace.toString();
  }

  void say(String text) {
    if (tracing) {
      trace.append(String.format(Locale.ROOT, "%12.6f %s%n", time.nowNanos() / 1e9, text));
    }
  }

  // ------------------------------------------------------------------------------ quotas

  /** Quotas and regions from now on; every quota of a judged bucket must stay in the book. */
  void quotas(List<Region> regions, List<QuotaSpec> quotas) {
    QuotaBook before = book;
    book =
        new QuotaBook(
            before.generation() + 1,
            Map.of(
                quotas.get(0).id().domain(),
                new DomainBook(quotas.get(0).id().domain(), regions, quotas)));
    for (BucketId bucket : buckets) {
      QuotaSpec quotaBefore = before.quota(bucket.quota());
      allow(bucket, quotaBefore, regions);
      QuotaSpec after = book.quota(bucket.quota());
      if (after != null) {
        DomainBook domain = before.domains().get(bucket.quota().domain());
        published(bucket)
            .change(
                time.nowNanos(), quotaBefore, after, domain == null ? List.of() : domain.regions());
      }
    }
    for (QuotaSpec quota : quotas) {
      say(
          "quota "
              + Telling.of(quota.whole())
              + " cost "
              + quota.maxCostMicros() / 1e6
              + " floor "
              + quota.lease().floorPpm() / 1e4
              + "% ttl "
              + quota.lease().ttlNanos() / 1e9
              + " "
              + regions);
    }
    moved = true;
    coordinator.change(book);
  }

  private void allow(BucketId bucket, @Nullable QuotaSpec before, List<Region> regions) {
    QuotaSpec after = book.quota(bucket.quota());
    ChangingJudge judge = judge(bucket);
    if (after == null) {
      return;
    }
    longestTtlNanos = Math.max(longestTtlNanos, after.lease().ttlNanos());
    judge
        .allowances()
        .change(
            time.nowNanos(),
            timing.takenBackAfterNanos(longestTtlNanos),
            after.rate(),
            after.burstMicros());
    Map<String, Share> largest = largestFloors.computeIfAbsent(bucket, id -> new TreeMap<>());
    FloorSplit.of(after, regions)
        .forEach((region, floor) -> largest.merge(region, floor, Share::max));
    if (before != null) {
      Share sum = largest.values().stream().reduce(Share.ZERO, Share::plus);
      judge
          .allowances()
          .floors(
              time.nowNanos(),
              new Rate(sum.rateMicros(), after.rate().perNanos()),
              sum.burstMicros());
    }
  }

  // ------------------------------------------------------------------------------ machines

  void startCoordinator(Desk.Start start, long lostTtlNanos) {
    moved = true;
    say("coordinator starts " + start);
    coordinator.start(start, lostTtlNanos);
  }

  SimAgent startAgent(String region, String folder, long boot, SimClock clock, QuotaBook stored) {
    say(region + " boot " + boot + " of " + folder + " starts");
    SimAgent agent = new SimAgent(this, clock, region, folder, boot, stored);
    agents.put(region, agent);
    everyAgent.add(agent);
    tickOf(agent);
    return agent;
  }

  private void tickOf(SimAgent agent) {
    if (agent.isAlive()) {
      agent.tick();
      time.after(intervalNanos, () -> tickOf(agent));
    }
  }

  void send(SimAgent agent, SyncRequest request) {
    messages++;
    print(request.seq());
    if (tracing) {
      say(agent.region() + "/" + agent.boot() + " asks " + Telling.of(request));
    }
    network.up(agent.region(), time, () -> arrive(agent, request));
  }

  private void arrive(SimAgent agent, SyncRequest request) {
    moved = true;
    SyncAnswer answer = coordinator.answer(request);
    if (answer == null) {
      return;
    }
    for (BucketOffer offer : answer.offers()) {
      print(offer.share().rateMicros());
      print(offer.share().burstMicros());
      print(offer.tokensMicros());
    }
    if (tracing) {
      say("answers " + agent.region() + "/" + agent.boot() + " " + Telling.of(answer));
    }
    OnItsWay out = new OnItsWay(agent, answer);
    out.copies =
        network.down(
            agent.region(),
            time,
            () -> {
              if (--out.copies == 0) {
                onTheirWay.remove(out);
              }
              moved = true;
              agent.hear(answer);
            });
    if (out.copies > 0) {
      onTheirWay.add(out);
    }
  }

  /** A newer run was seen: this one gives back and stops. */
  void fenced(SimAgent agent, long newestBoot) {
    say(agent.region() + "/" + agent.boot() + " is fenced by " + newestBoot);
    newestBoots.merge(agent.region(), newestBoot, Math::max);
    agent.leave();
  }

  /** The largest run of a region that anybody was told of. */
  long newestBoot(String region) {
    return newestBoots.getOrDefault(region, 0L);
  }

  /** The process that was started last in a region. */
  @Nullable SimAgent agent(String region) {
    return agents.get(region);
  }

  /** All processes that live. */
  List<SimAgent> everyAgent() {
    return everyAgent.stream().filter(SimAgent::isAlive).toList();
  }

  /** All processes of a region that live. */
  List<SimAgent> processes(String region) {
    return everyAgent.stream()
        .filter(agent -> agent.isAlive() && agent.region().equals(region))
        .toList();
  }

  void runFor(long nanos) {
    time.runUntil(time.nowNanos() + nanos, this::check);
  }

  // ------------------------------------------------------------------------------ judging

  void admitted(BucketId bucket, long costMicros) {
    if (!buckets.isEmpty()) {
      judge(bucket).admitted(time.nowNanos(), costMicros);
      published(bucket).admitted(time.nowNanos(), costMicros);
    }
    if (tracing) {
      say(bucket.key() + " admitted " + costMicros / 1e6);
    }
    admittedMicros += costMicros;
    admittedCount++;
    print(costMicros);
  }

  void refused(BucketId bucket, long costMicros) {
    refusedMicros += costMicros;
    refusedCount++;
    print(-costMicros);
  }

  /** Two runs that differ anywhere differ in this (FNV-1a, of whole numbers and when they came). */
  private void print(long value) {
    fingerprint = (fingerprint ^ time.nowNanos()) * 0x100_0000_01B3L;
    fingerprint = (fingerprint ^ value) * 0x100_0000_01B3L;
    fingerprint ^= fingerprint >>> 29;
  }

  /** Into how many a bucket may be split: the pool, and every region there has been. */
  private int shares() {
    return agents.size() + 1;
  }

  /** What happened so far, in numbers. */
  Sums sums() {
    long overshoot = 0;
    for (ChangingJudge judge : judges.values()) {
      overshoot = Math.max(overshoot, judge.excessMicros(shares()));
    }
    return new Sums(
        admittedCount,
        refusedCount,
        admittedMicros,
        refusedMicros,
        messages,
        time.nowNanos(),
        overshoot,
        fingerprint);
  }

  Faults faults() {
    return faults;
  }

  long admittedMicros() {
    return admittedMicros;
  }

  long refusedMicros() {
    return refusedMicros;
  }

  /** What is broken: invariants first, then windows. */
  List<String> violations() {
    List<String> all = new ArrayList<>(violations);
    judges.forEach(
        (bucket, judge) -> {
          if (judge.excessMicros(shares()) > 0) {
            all.add(
                String.format(
                    Locale.ROOT,
                    "%s: a window that ended at %.6f s admitted %.6f tokens too many",
                    bucket,
                    judge.worstAtNanos() / 1e9,
                    judge.excessMicros(shares()) / 1e6));
          }
        });
    published.forEach(
        (bucket, judge) -> {
          if (judge.excessMicros() > 0) {
            all.add(
                String.format(
                    Locale.ROOT,
                    "%s: a window admitted %.6f tokens beyond the bound that is published",
                    bucket,
                    judge.excessMicros() / 1e6));
          }
        });
    return all;
  }

  /** After everything that moves shares or tokens, and now and then, for what time alone does. */
  private void check() {
    long nowNanos = time.nowNanos();
    if (checking
        && violations.size() < 5
        && (moved || nowNanos - checkedAtNanos >= CHECKED_EVERY_NANOS)) {
      moved = false;
      checkedAtNanos = nowNanos;
      everyAgent.removeIf(agent -> !agent.isAlive());
      for (BucketId bucket : buckets) {
        check(bucket);
      }
    }
  }

  private void check(BucketId bucket) {
    QuotaSpec quota = book.quota(bucket.quota());
    if (quota == null) {
      return;
    }
    long per = quota.rate().perNanos();
    List<Party> parties = new ArrayList<>();
    Bucket pool = coordinator.pool(bucket);
    if (pool != null) {
      boolean mints = pool.atNanos() - coordinator.nowNanos() <= 0;
      parties.add(
          new Party(
              "pool",
              new Share(mints ? pool.rate().toPer(per, false).micros() : 0, pool.levelMicros()),
              pool.levelMicros()));
    }
    for (SimAgent agent : everyAgent) {
      if (agent.isAlive() && !agent.isAsleep()) {
        parties.add(
            new Party(
                agent.region() + "/" + agent.boot(),
                agent.share(bucket, per),
                agent.level(bucket)));
      }
    }
    for (OnItsWay out : onTheirWay) {
      if (out.agent.waitsFor(out.answer) && !out.agent.isAsleep()) {
        for (BucketOffer offer : out.answer.offers()) {
          if (offer.bucket().equals(bucket)) {
            parties.add(
                new Party(
                    "on its way to " + out.agent.region(),
                    Share.ZERO,
                    out.agent.wouldBring(offer)));
          }
        }
      }
    }
    Allowances judge = judge(bucket).allowances();
    long now = time.nowNanos();
    note(bucket, Invariants.tokensWithinBurst(judge.burstMicros(now), parties));
    note(bucket, Invariants.ratesWithinQuota(judge.rateMicros(now, per), parties));
    note(bucket, bursts(judge.burstMicros(now), parties));
  }

  /** Bursts in force anywhere, with the tokens in the pool, never exceed {@code B} either. */
  private static List<Violation> bursts(long burstMicros, List<Party> parties) {
    long sum = 0;
    for (Party party : parties) {
      sum += party.share().burstMicros();
    }
    return sum <= burstMicros
        ? List.of()
        : List.of(
            new Violation("I3", "bursts in force " + sum + " of " + burstMicros + " " + parties));
  }

  private void note(BucketId bucket, List<Violation> broken) {
    for (Violation violation : broken) {
      String text =
          String.format(Locale.ROOT, "%.6f s %s %s", time.nowNanos() / 1e9, bucket, violation);
      violations.add(text);
      say(text);
    }
  }
}
