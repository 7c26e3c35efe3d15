package dev.weir.core.lease;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.math.Nanos;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.FloorGrant;
import dev.weir.core.message.FloorShare;
import dev.weir.core.message.QuotaUse;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The agent's half of the protocol (section 2 of the design): which buckets the coordinator must
 * hear of, one request at a time, and what its answers change. It reads no clock and sends nothing
 * itself. Not thread-safe: one thread drives it, while any number of threads take from the buckets.
 */
public final class Edge {
  /** Without anything to say, a request is sent at least this often. */
  public static final long KEEP_ALIVE_NANOS = Nanos.SECOND_NANOS;

  /** Requests outside the tick are at least this far apart. */
  public static final long AT_ONCE_NANOS = 20 * Nanos.MILLISECOND_NANOS;

  /** How often the load of busy buckets is looked at between requests. */
  public static final long LOOK_NANOS = 25 * Nanos.MILLISECOND_NANOS;

  /** Quotas in one request of which it says what was admitted; the rest is for the next. */
  private static final int USES_MAX = 1_000;

  private final String region;
  private final String folder;
  private final long boot;
  private final LeaseTiming timing;
  private final Rules rules;
  private final Keys keys;
  private final Map<BucketId, Holding> holdings = new LinkedHashMap<>();

  /** Those so busy that a load that leaves shows between two requests; few by their nature. */
  private final List<Holding> watched = new ArrayList<>();

  private String cluster = "";
  private QuotaBook book;
  private long seq;
  private final RequestRoom room = new RequestRoom();
  private int named;
  private boolean inFlight;
  private boolean unanswered;
  private long sentAtNanos;
  private boolean everSent;
  private boolean soon;

  private boolean answered;
  private long answeredSentAtNanos;
  private long floorVersion;
  private Map<QuotaId, FloorShare> floors = Map.of();
  private boolean floorsRest;
  private boolean drained;

  /** What was admitted: when the boot began, as said last, as the coordinator has heard it. */
  private final Map<QuotaId, QuotaUse> usesBefore = new HashMap<>();

  private Map<QuotaId, QuotaUse> usesSaid = Map.of();
  private Map<QuotaId, QuotaUse> usesHeard = Map.of();

  private long clockAtNanos;
  private long wallAtNanos;
  private long wallAheadNanos;

  /** What an answer asks of the process. */
  public enum Outcome {
    /** Nothing. */
    GO_ON,
    /** The answer was to another request, or came from another cluster: nothing was applied. */
    IGNORED,
    /** A newer run of the region exists: stop. */
    FENCED,
    /** The region is not configured. */
    UNKNOWN_REGION
  }

  /**
   * An agent's half that holds nothing.
   *
   * @param book the quotas to begin with, as stored by the run before; {@link QuotaBook#EMPTY}
   *     without
   * @param wallNanos the wall clock, used for nothing but noticing that the machine was suspended
   */
  public Edge(
      String region,
      String folder,
      long boot,
      QuotaBook book,
      LeaseTiming timing,
      Rules rules,
      Keys keys,
      long nowNanos,
      long wallNanos) {
    this.region = region;
    this.folder = folder;
    this.boot = boot;
    this.book = book;
    this.timing = timing;
    this.rules = rules;
    this.keys = keys;
    this.clockAtNanos = nowNanos;
    this.wallAtNanos = wallNanos;
    keys.uses().forEach(use -> usesBefore.put(use.quota(), use));
  }

  // ------------------------------------------------------------------------------ asking

  /**
   * Notes that a bucket is dry or nearly so: the coordinator should hear of it soon.
   *
   * @param costMicros of the request that showed it
   */
  public void want(BucketId id, HotBucket bucket, long costMicros, long nowNanos) {
    QuotaSpec quota = book.quota(id.quota());
    if (quota == null || !quota.isLeased()) {
      return;
    }
    Holding holding = holdings.get(id);
    if (holding == null) {
      holding = new Holding(id, bucket, quota, rules, nowNanos);
      holdings.put(id, holding);
      soon = true;
    } else {
      holding.use(bucket, nowNanos);
      soon |= !holding.waitsForTick();
    }
    holding.want(costMicros);
  }

  /**
   * The request to send at a tick, about every 100 ms.
   *
   * @return null when one is out already, or there is nothing to say
   */
  public @Nullable SyncRequest tick(long nowNanos, long wallNanos) {
    noticeSuspension(nowNanos, wallNanos);
    return inFlight ? null : request(false, nowNanos);
  }

  /**
   * The request to send outside the ticks: a bucket ran dry, or the coordinator wants a word.
   *
   * @return null when one is out already, none is needed, or the last was just now
   */
  public @Nullable SyncRequest atOnce(long nowNanos, long wallNanos) {
    if (!soon || inFlight || (everSent && nowNanos - sentAtNanos < AT_ONCE_NANOS)) {
      return null;
    }
    noticeSuspension(nowNanos, wallNanos);
    return request(true, nowNanos);
  }

  /** Whether {@link #atOnce} has something to send, now or in a moment. */
  public boolean isSoon() {
    return soon && !inFlight;
  }

  /** Whether {@link #look} has something to look at. */
  public boolean isWatching() {
    return !watched.isEmpty();
  }

  /**
   * Looks, every {@link #LOOK_NANOS}, whether the load of a busy bucket has left; what it held is
   * given up by the next request, and that is sent soon.
   */
  public void look(long nowNanos) {
    for (Holding holding : watched) {
      soon |= holding.look(nowNanos);
    }
  }

  /** Gives up waiting for an answer; a later one to the same request is ignored. */
  public void giveUp() {
    if (inFlight) {
      room.unanswered(named);
    }
    inFlight = false;
    holdings.values().forEach(Holding::unheard);
  }

  /** The last request: everything is given back, and nothing is admitted from here on. */
  public SyncRequest leave(long nowNanos) {
    List<BucketReport> reports = new ArrayList<>();
    for (Holding holding : holdings.values()) {
      reports.add(holding.leave(keys.floor(holding.id().quota()), !unanswered, nowNanos));
    }
    restFloors(nowNanos);
    return sent(
        new SyncRequest(
            cluster,
            region,
            folder,
            boot,
            ++seq,
            book.generation(),
            floorVersion,
            true,
            reports,
            uses()),
        nowNanos);
  }

  private @Nullable SyncRequest request(boolean atOnce, long nowNanos) {
    List<BucketReport> reports = new ArrayList<>();
    List<Holding> reported = new ArrayList<>();
    boolean holds = false;
    boolean someLeft = false;
    boolean someWait = false;
    watched.clear();
    for (Iterator<Holding> all = holdings.values().iterator(); all.hasNext(); ) {
      Holding holding = all.next();
      boolean needed = holding.measure(keys.floor(holding.id().quota()), nowNanos);
      holds |= !holding.leaseAt(nowNanos).isZero();
      if (holding.isWatchedAt(nowNanos)) {
        watched.add(holding);
      }
      if (needed && reports.size() < room.buckets()) {
        reports.add(holding.report(keys.floor(holding.id().quota()), !unanswered, nowNanos));
        reported.add(holding);
      } else if (needed) {
        someLeft = true;
        someWait |= holding.isWanted() && !holding.waitsForTick();
      } else if (holding.isIdleAt(nowNanos)) {
        all.remove();
      }
    }
    if (someLeft) {
      // The others first next time, or those that stay dry would keep them out for ever.
      reported.forEach(this::moveToEnd);
    }
    soon = someWait;
    // Whoever holds a lease can be asked for it at every tick, also where nothing is to be said.
    // An agent that has had no answer yet has quotas and a floor to learn.
    boolean due = !answered || nowNanos - sentAtNanos >= KEEP_ALIVE_NANOS;
    if (reports.isEmpty() && !due && !holds && !atOnce) {
      return null;
    }
    return sent(
        new SyncRequest(
            cluster,
            region,
            folder,
            boot,
            ++seq,
            book.generation(),
            floorsRest ? 0 : floorVersion,
            false,
            reports,
            uses()),
        nowNanos);
  }

  private void moveToEnd(Holding holding) {
    holdings.remove(holding.id());
    holdings.put(holding.id(), holding);
  }

  private List<QuotaUse> uses() {
    Map<QuotaId, QuotaUse> said = new HashMap<>(usesHeard);
    List<QuotaUse> news = new ArrayList<>();
    for (QuotaUse total : keys.uses()) {
      QuotaId quota = total.quota();
      QuotaUse use = total.since(usesBefore.getOrDefault(quota, QuotaUse.none(quota)));
      boolean heard = use.equals(usesHeard.getOrDefault(quota, QuotaUse.none(quota)));
      if (!heard && news.size() < USES_MAX) {
        said.put(quota, use);
        news.add(use);
      }
    }
    usesSaid = said;
    return news;
  }

  private SyncRequest sent(SyncRequest request, long nowNanos) {
    inFlight = true;
    unanswered = true;
    everSent = true;
    sentAtNanos = nowNanos;
    named = request.buckets().size();
    return request;
  }

  // ------------------------------------------------------------------------------ answers

  /** Applies an answer, if it is the one to the newest request and none was applied before (S3). */
  public Outcome on(SyncAnswer answer, long nowNanos, long wallNanos) {
    noticeSuspension(nowNanos, wallNanos);
    boolean newest = inFlight && answer.seq() == seq && answer.boot() == boot;
    if (!newest && rules.on(Clause.S3_NEWEST_ANSWER_ONLY)) {
      return Outcome.IGNORED;
    }
    if (!cluster.isEmpty() && !cluster.equals(answer.cluster())) {
      inFlight = false;
      return Outcome.IGNORED;
    }
    if (inFlight) {
      room.answered(named, nowNanos - sentAtNanos);
    }
    inFlight = false;
    if (answer.status() == SyncAnswer.Status.FENCED) {
      return Outcome.FENCED;
    }
    cluster = answer.cluster();
    unanswered = false;
    answered = true;
    usesHeard = usesSaid;
    answeredSentAtNanos = sentAtNanos;
    drained = answer.drained();
    if (answer.book() != null) {
      adopt(answer.book());
    }
    takeFloors(answer.floor(), nowNanos);
    for (BucketOffer offer : answer.offers()) {
      Holding holding = holdings.get(offer.bucket());
      if (holding == null) {
        holding = found(offer, nowNanos);
      }
      if (holding != null) {
        holding.use(keys.bucket(offer.bucket()), nowNanos);
        long fromNanos = rules.on(Clause.S6_FROM_SENDING) ? sentAtNanos : nowNanos;
        holding.apply(offer, keys.floor(offer.bucket().quota()), fromNanos, nowNanos);
        soon |= offer.confirm();
      }
    }
    for (Holding holding : holdings.values()) {
      holding.answered();
    }
    return answer.status() == SyncAnswer.Status.UNKNOWN_REGION
        ? Outcome.UNKNOWN_REGION
        : Outcome.GO_ON;
  }

  private @Nullable Holding found(BucketOffer offer, long nowNanos) {
    QuotaSpec quota = book.quota(offer.bucket().quota());
    HotBucket bucket = quota == null ? null : keys.bucket(offer.bucket());
    if (quota == null || bucket == null || offer.share().isZero()) {
      return null;
    }
    Holding holding = new Holding(offer.bucket(), bucket, quota, rules, nowNanos);
    holdings.put(offer.bucket(), holding);
    return holding;
  }

  private void adopt(QuotaBook next) {
    Set<QuotaId> gone = new HashSet<>();
    for (Holding holding : holdings.values()) {
      QuotaSpec quota = next.quota(holding.id().quota());
      QuotaSpec before = book.quota(holding.id().quota());
      if (quota == null
          || !quota.isLeased()
          || (before != null && !quota.match().equals(before.match()))) {
        gone.add(holding.id().quota());
      }
    }
    holdings.keySet().removeIf(id -> gone.contains(id.quota()));
    for (Holding holding : holdings.values()) {
      holding.adopt(Objects.requireNonNull(next.quota(holding.id().quota())));
    }
    book = next;
    keys.adopt(next);
  }

  private void takeFloors(@Nullable FloorGrant grant, long nowNanos) {
    if (grant == null) {
      if (floorVersion != 0) {
        restFloors(nowNanos);
        floorVersion = 0;
        floors = Map.of();
      }
      return;
    }
    Map<QuotaId, FloorShare> table = grant.table();
    if (table != null) {
      Set<QuotaId> lost = new HashSet<>(floors.keySet());
      lost.removeAll(table.keySet());
      lost.forEach(quota -> setFloor(quota, Rate.ZERO, 0, nowNanos, nowNanos));
      floors = table;
      floorVersion = grant.version();
      floors.forEach((quota, floor) -> use(quota, floor, nowNanos));
    } else if (grant.version() == floorVersion) {
      floors.forEach((quota, floor) -> keys.extendFloor(quota, sentAtNanos + floor.ttlNanos()));
    }
    floorsRest = false;
  }

  private void use(QuotaId quota, FloorShare floor, long nowNanos) {
    setFloor(
        quota,
        new Rate(floor.share().rateMicros(), floor.perNanos()),
        floor.share().burstMicros(),
        sentAtNanos + floor.ttlNanos(),
        nowNanos);
  }

  private void setFloor(
      QuotaId quota, Rate rate, long burstMicros, long untilNanos, long nowNanos) {
    keys.setFloor(quota, rate, burstMicros, untilNanos, nowNanos);
    for (Holding holding : holdings.values()) {
      if (holding.id().quota().equals(quota)) {
        holding.refit(keys.floor(quota), nowNanos);
      }
    }
  }

  private void restFloors(long nowNanos) {
    floors.keySet().forEach(quota -> setFloor(quota, Rate.ZERO, 0, nowNanos, nowNanos));
    floorsRest = true;
  }

  /**
   * A wall clock that has run ahead of the monotonic one means that the machine slept: what was
   * leased may be somebody else's by now (S7).
   */
  public void noticeSuspension(long nowNanos, long wallNanos) {
    long elapsedNanos = Math.max(0, nowNanos - clockAtNanos);
    long leadNanos = (wallNanos - wallAtNanos) - (nowNanos - clockAtNanos);
    clockAtNanos = nowNanos;
    wallAtNanos = wallNanos;
    // Short sleeps add up; what the two clocks drift apart is forgotten as fast as it can arise.
    long drifted = timing.stretched(elapsedNanos) - elapsedNanos;
    wallAheadNanos = Math.max(0, wallAheadNanos + leadNanos - drifted);
    if (wallAheadNanos > timing.guardNanos() && rules.on(Clause.S7_SUSPENSION)) {
      wallAheadNanos = 0;
      // The answer that is on its way is counted from before the sleep.
      inFlight = false;
      restFloors(nowNanos);
      for (Holding holding : holdings.values()) {
        holding.end(keys.floor(holding.id().quota()), nowNanos);
      }
    }
  }

  // ------------------------------------------------------------------------------ views

  /** The quotas in use. */
  public QuotaBook book() {
    return book;
  }

  /** Id of the cluster this agent keeps to; empty before its first answer. */
  public String cluster() {
    return cluster;
  }

  /** Whether the region is being drained. */
  public boolean isDrained() {
    return drained;
  }

  /** Version of the floors in use; 0 for none. */
  public long floorVersion() {
    return floorsRest ? 0 : floorVersion;
  }

  /**
   * Since when nothing was heard: the time on the agent's clock since it sent the last request that
   * was answered; {@code Long.MAX_VALUE} before the first answer.
   */
  public long unheardNanos(long nowNanos) {
    return answered ? nowNanos - answeredSentAtNanos : Long.MAX_VALUE;
  }

  /** What is held and asked for in sum, by quota. */
  public Map<QuotaId, HeldSum> sums(long nowNanos) {
    Map<QuotaId, HeldSum> sums = new HashMap<>();
    for (Holding holding : holdings.values()) {
      sums.merge(holding.id().quota(), holding.sum(nowNanos), HeldSum::plus);
    }
    return sums;
  }

  /** What is held and asked for, per bucket that the coordinator knows from this agent. */
  public List<HoldingView> holdings(long nowNanos) {
    List<HoldingView> views = new ArrayList<>();
    for (Holding holding : holdings.values()) {
      views.add(holding.view(nowNanos));
    }
    return views;
  }
}
