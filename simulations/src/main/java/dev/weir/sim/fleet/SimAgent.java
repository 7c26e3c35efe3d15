package dev.weir.sim.fleet;

import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.Receipt;
import dev.weir.core.bucket.Standing;
import dev.weir.core.lease.Edge;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Share;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One process of a region's agent: the real edge over real buckets. It lives for one boot. */
final class SimAgent {
  private static final long LOW_PARTS = 4;

  private final Fleet fleet;
  private final SimClock clock;
  private final String region;
  private final String folder;
  private final long boot;
  private final SimKeys keys;
  private final Edge edge;
  private final Map<BucketId, Long> highestSinceSent = new LinkedHashMap<>();
  private boolean alive = true;
  private boolean stopped;
  private boolean asleep;
  private boolean waiting;
  private boolean timedOut;
  private boolean watching;
  private long seqOut;
  private long sentAtNanos;
  private long roundTripNanos;
  private final List<SyncAnswer> unread = new ArrayList<>();
  private Runnable afterAnswer = () -> {};

  SimAgent(Fleet fleet, SimClock clock, String region, String folder, long boot, QuotaBook stored) {
    this.fleet = fleet;
    this.clock = clock;
    this.region = region;
    this.folder = folder;
    this.boot = boot;
    this.keys = new SimKeys(fleet.rules(), clock::nanos);
    this.edge =
        new Edge(
            region,
            folder,
            boot,
            stored,
            fleet.agentTiming(),
            fleet.rules(),
            keys,
            clock.nanos(),
            clock.wallNanos());
  }

  String region() {
    return region;
  }

  String folder() {
    return folder;
  }

  long boot() {
    return boot;
  }

  SimClock clock() {
    return clock;
  }

  Edge edge() {
    return edge;
  }

  SimKeys keys() {
    return keys;
  }

  /** From now on this is run whenever an answer was taken in. */
  void afterAnswer(Runnable what) {
    afterAnswer = what;
  }

  /** How many requests it has sent. */
  long sent() {
    return seqOut;
  }

  boolean isAlive() {
    return alive;
  }

  boolean isStopped() {
    return stopped;
  }

  /** The process dies, or its machine is cut off for good. */
  void die() {
    alive = false;
  }

  /** The process stops for a while: its clocks go on, and it runs nothing. */
  void pause() {
    stopped = true;
  }

  /** The machine sleeps, and its monotonic clock stands still. */
  void sleep() {
    stopped = true;
    asleep = true;
    clock.sleep();
  }

  boolean isAsleep() {
    return asleep;
  }

  /** The machine wakes, and nothing but time and its ticks tells it that it slept. */
  void wake() {
    clock.wake();
    asleep = false;
    stopped = false;
  }

  /** It runs again: first it hears what has arrived, or ticks. */
  void goOn(boolean tickFirst) {
    if (asleep) {
      clock.wake();
      asleep = false;
    }
    stopped = false;
    if (tickFirst) {
      tick();
    }
    List<SyncAnswer> read = new ArrayList<>(unread);
    unread.clear();
    read.forEach(this::hear);
    giveUp();
    tick();
  }

  void tick() {
    if (alive && !stopped) {
      send(edge.tick(clock.nanos(), clock.wallNanos()));
      watch();
    }
  }

  private void watch() {
    if (edge.isWatching() && !watching) {
      watching = true;
      fleet.time().after(Edge.LOOK_NANOS, this::look);
    }
  }

  private void look() {
    watching = false;
    if (alive && !stopped) {
      edge.look(clock.nanos());
      soon();
      watch();
    }
  }

  private void atOnce() {
    if (alive && !stopped) {
      send(edge.atOnce(clock.nanos(), clock.wallNanos()));
    }
  }

  private void soon() {
    if (edge.isSoon()) {
      atOnce();
      if (edge.isSoon()) {
        fleet.time().after(Edge.AT_ONCE_NANOS + 1_000_000, this::atOnce);
      }
    }
  }

  private void send(@Nullable SyncRequest request) {
    if (request == null) {
      return;
    }
    seqOut = request.seq();
    sentAtNanos = clock.nanos();
    waiting = true;
    timedOut = false;
    for (BucketId id : fleet.buckets()) {
      highestSinceSent.put(id, level(id));
    }
    fleet.send(this, request);
    fleet
        .time()
        .after(
            fleet.timeOutNanos(),
            () -> {
              if (seqOut == request.seq()) {
                timedOut = true;
                giveUp();
              }
            });
  }

  private void giveUp() {
    if (alive && !stopped && timedOut && waiting) {
      edge.giveUp();
      waiting = false;
    }
  }

  /** Gives everything back and ends. */
  void leave() {
    if (alive && !stopped) {
      SyncRequest last = edge.leave(clock.nanos());
      alive = false;
      fleet.send(this, last);
    }
  }

  void hear(SyncAnswer answer) {
    if (!alive) {
      return;
    }
    if (stopped) {
      unread.add(answer);
      return;
    }
    noteLevels();
    boolean awaited = waitsFor(answer);
    Edge.Outcome outcome = edge.on(answer, clock.nanos(), clock.wallNanos());
    if (awaited) {
      waiting = false;
      roundTripNanos = clock.nanos() - sentAtNanos;
    }
    if (outcome == Edge.Outcome.FENCED) {
      fleet.fenced(this, answer.newestBoot());
    } else {
      soon();
      afterAnswer.run();
    }
  }

  /** Whether an answer that arrives now would be applied. */
  boolean waitsFor(SyncAnswer answer) {
    return alive && waiting && answer.boot() == boot && answer.seq() == seqOut;
  }

  /** The most an offer on its way can still bring. */
  long wouldBring(BucketOffer offer) {
    if (clock.nanos() - sentAtNanos >= offer.ttlNanos()) {
      return 0;
    }
    long highest =
        Math.max(level(offer.bucket()), highestSinceSent.getOrDefault(offer.bucket(), 0L));
    long burst =
        offer.share().burstMicros() + keys.floor(offer.bucket().quota()).share().burstMicros();
    return Math.min(offer.tokensMicros(), Math.max(0, burst - highest));
  }

  Share share(BucketId id, long perNanos) {
    return keys.share(id, perNanos, clock.nanos());
  }

  void noteLevels() {
    for (BucketId id : fleet.buckets()) {
      highestSinceSent.merge(id, level(id), Math::max);
    }
  }

  long level(BucketId id) {
    return keys.level(id, clock.nanos());
  }

  /** A request: takes so much, and says whether it was admitted. */
  boolean take(BucketId id, long costMicros) {
    if (!alive || stopped || edge.book().quota(id.quota()) == null) {
      return false;
    }
    long nowNanos = clock.nanos();
    HotBucket bucket = keys.ask(id, nowNanos);
    noteLevel(id);
    long answer = bucket.take(costMicros, nowNanos);
    boolean admitted = answer >= 0;
    if (admitted) {
      fleet.admitted(id, costMicros);
    } else {
      fleet.refused(id, costMicros);
    }
    if (!admitted || isLow(id, bucket, answer)) {
      edge.want(id, bucket, costMicros, nowNanos);
      soon();
    }
    return admitted;
  }

  private void noteLevel(BucketId id) {
    if (fleet.isChecked()) {
      highestSinceSent.merge(id, level(id), Math::max);
    }
  }

  /**
   * A request that counts against several buckets: takes so much from all of them, or nothing
   * (S12).
   *
   * @return the bucket that refused it, or null if it was admitted
   */
  @Nullable BucketId takeAll(List<BucketId> ids, long costMicros) {
    for (BucketId id : ids) {
      QuotaSpec quota = edge.book().quota(id.quota());
      if (!alive || stopped || quota == null || costMicros > quota.maxCostMicros()) {
        fleet.refused(id, costMicros);
        return id;
      }
    }
    if (ids.size() == 1) {
      return take(ids.get(0), costMicros) ? null : ids.get(0);
    }
    return reserveAll(ids, costMicros);
  }

  private @Nullable BucketId reserveAll(List<BucketId> ids, long costMicros) {
    long nowNanos = clock.nanos();
    List<HotBucket> charged = new ArrayList<>(ids.size());
    List<Receipt> receipts = new ArrayList<>(ids.size());
    BucketId refusing = null;
    for (BucketId id : ids) {
      HotBucket bucket = keys.ask(id, nowNanos);
      noteLevel(id);
      Receipt receipt = new Receipt();
      long answer = bucket.reserve(costMicros, nowNanos, receipt);
      if (answer < 0 || isLow(id, bucket, answer)) {
        edge.want(id, bucket, costMicros, nowNanos);
      }
      if (answer < 0) {
        refusing = id;
        break;
      }
      charged.add(bucket);
      receipts.add(receipt);
    }
    for (int i = 0; i < charged.size(); i++) {
      if (refusing == null) {
        charged.get(i).keep(receipts.get(i));
        fleet.admitted(ids.get(i), costMicros);
      } else {
        long unused = charged.get(i).giveBack(receipts.get(i), clock::nanos, fleet.rules());
      }
    }
    if (refusing != null) {
      fleet.refused(refusing, costMicros);
    }
    soon();
    return refusing;
  }

  /** Whether a key has had no lease yet and has no floor: its first request waits for one. */
  boolean waitsForFirstLease(BucketId id) {
    HotBucket bucket = keys.bucket(id);
    return alive
        && !stopped
        && !timedOut
        && bucket != null
        && bucket.standingAt(clock.nanos()) == Standing.NO_LEASE;
  }

  /** How long the last request to be answered was on its way; 0 before the first answer. */
  long roundTripNanos() {
    return roundTripNanos;
  }

  /** A floor with room for some requests asks for a lease before it is empty. */
  private boolean isLow(BucketId id, HotBucket bucket, long leftMicros) {
    QuotaSpec quota = edge.book().quota(id.quota());
    long burst = keys.floor(id.quota()).share().burstMicros();
    return quota != null
        && bucket.isOnSharedTerms()
        && leftMicros < burst / LOW_PARTS
        && burst / LOW_PARTS >= quota.maxCostMicros();
  }

  /** Takes all there is, and asks for more. */
  void drain(BucketId id, long costMicros) {
    if (!alive || stopped) {
      return;
    }
    long level = level(id);
    if (level > 0) {
      take(id, level);
    }
    take(id, costMicros);
  }
}
