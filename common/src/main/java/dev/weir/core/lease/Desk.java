package dev.weir.core.lease;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.FloorBook.RegionFloors;
import dev.weir.core.math.Nanos;
import dev.weir.core.message.FloorGrant;
import dev.weir.core.message.FloorShare;
import dev.weir.core.message.SyncAnswer.Status;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.FloorSplit;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.LostLedger;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's front desk: who may hold which floor (S8), what each quota's ledgers must know
 * (S11), and whom to recall. It knows regions and quotas, not buckets; those have ledgers. Reads no
 * clock. Not thread-safe.
 */
public final class Desk {
  private static final Comparator<QuotaId> BY_NAME = Comparator.comparing(QuotaId::toString);

  private final long authorityId;
  private final Start start;
  private final Map<QuotaId, Long> ttlsBeforeNanos;
  private final Loss loss;
  private final LeaseTiming timing;
  private final Rules rules;
  private final long startedAtNanos;

  private QuotaBook book = QuotaBook.EMPTY;
  private long version;
  private final Map<String, RegionFloors> floors = new TreeMap<>();
  private final Map<String, Long> runsOutAtNanos = new HashMap<>();
  private final Map<String, Map<QuotaId, FloorShare>> wanted = new HashMap<>();
  private final Map<QuotaId, Long> growsFromNanos = new HashMap<>();
  private final Map<QuotaId, OldTtl> oldTtls = new HashMap<>();
  private final Map<QuotaId, LedgerTerms> terms = new HashMap<>();
  private final Map<QuotaId, Bucket> untouched = new HashMap<>();
  private final Map<HolderId, Set<BucketId>> recalls = new HashMap<>();
  private final Set<String> drained = new HashSet<>();
  private final Map<String, Long> leftBoots = new HashMap<>();

  /** A time to live that a version had whose leases may still be alive. */
  private record OldTtl(long ttlNanos, long untilNanos) {}

  /** How a coordinator began (S9). */
  public enum Start {
    /** Nothing was ever granted: pools are full, floors are given at once. */
    FIRST,
    /** On the data of the run before. */
    AGAIN,
    /**
     * The data was lost, now or in a run before: what nothing is known of since counts as in use,
     * until it cannot be any more.
     */
    LOST_DATA
  }

  /**
   * A desk without quotas; {@link #adopt} gives it some.
   *
   * @param authorityId drawn when authority began
   * @param stored the floor book as it was stored last; without one an empty book, whose version
   *     must be above any that was ever given (after lost data: take it from the calendar)
   * @param ttlsBeforeNanos {@link #longestTtls} as stored last
   * @param loss what was lost, and how long ago; only for {@link Start#LOST_DATA}
   */
  public Desk(
      Start start,
      long authorityId,
      FloorBook stored,
      Map<QuotaId, Long> ttlsBeforeNanos,
      Loss loss,
      LeaseTiming timing,
      Rules rules,
      long nowNanos) {
    this.start = start;
    this.authorityId = authorityId;
    this.ttlsBeforeNanos = Map.copyOf(ttlsBeforeNanos);
    this.loss = loss;
    this.timing = timing;
    this.rules = rules;
    this.startedAtNanos = nowNanos;
    this.version = stored.version();
    this.floors.putAll(stored.regions());
    // When holders were last answered is not known: they may just have been.
    stored.regions().forEach((region, held) -> renew(region, held, nowNanos));
    ttlsBeforeNanos.forEach(
        (quota, ttl) ->
            oldTtls.put(quota, new OldTtl(ttl, nowNanos + timing.takenBackAfterNanos(ttl))));
  }

  // ------------------------------------------------------------------------------ quotas

  /**
   * Puts a generation of quotas in force.
   *
   * @param fresh level of the pool, by quota, of buckets nobody has asked about, where that is less
   *     than full, and after lost data in any case: as stored for slow quotas; used at the first
   *     call only
   */
  public void adopt(QuotaBook next, Map<QuotaId, Long> fresh, long nowNanos) {
    boolean first = book.generation() == 0 && terms.isEmpty();
    QuotaBook before = book;
    book = next;
    wanted.clear();
    for (DomainBook domain : next.domains().values()) {
      for (QuotaSpec quota : domain.quotas()) {
        if (quota.isLeased()) {
          want(quota, domain.regions());
          remember(quota, before.quota(quota.id()), first, nowNanos);
        }
      }
    }
    for (DomainBook domain : before.domains().values()) {
      for (QuotaSpec quota : domain.quotas()) {
        QuotaSpec after = next.quota(quota.id());
        if (quota.isLeased() && (after == null || !after.isLeased())) {
          outlives(quota, nowNanos);
        }
      }
    }
    untouched.keySet().removeIf(id -> next.quota(id) == null);
    if (first && start == Start.LOST_DATA) {
      // Any region may still use what it was given before; the quotas are taken to be as they were.
      wanted.forEach((region, floor) -> floors.putIfAbsent(region, RegionFloors.lost(floor)));
      floors.forEach((region, held) -> renew(region, held, nowNanos));
    }
    floors.replaceAll((region, held) -> held.isHeld() ? held : unheld(region, held));
    rewriteTerms(fresh, first, nowNanos);
  }

  /** The quotas in force. */
  public QuotaBook book() {
    return book;
  }

  /**
   * What a ledger of this quota must know now.
   *
   * @return null if there is no such leased quota
   */
  public @Nullable LedgerTerms terms(QuotaId quota) {
    return terms.get(quota);
  }

  /** The pool of a bucket nobody has asked about; it mints nothing while learning. */
  public Bucket untouched(QuotaId quota, long nowNanos) {
    LedgerTerms now = terms.get(quota);
    Bucket pool = untouched.get(quota);
    if (now == null || pool == null) {
      throw new IllegalArgumentException("no leased quota " + quota);
    }
    return pool.refill(nowNanos);
  }

  /**
   * The right to decide about a quota's ledgers: they learn as long as a lease can be alive (S9).
   */
  public Authority authority(QuotaId quota) {
    return new Authority(authorityId, learningUntil(quota));
  }

  private long learningUntil(QuotaId quota) {
    if (start == Start.FIRST) {
      return startedAtNanos;
    }
    QuotaSpec spec = book.quota(quota);
    long ttl = spec == null ? 0 : spec.lease().ttlNanos();
    long before = rules.on(Clause.S9_LONGEST_TTL) ? ttlsBeforeNanos.getOrDefault(quota, 0L) : 0;
    long learning = timing.takenBackAfterNanos(Math.max(ttl, before));
    if (start == Start.LOST_DATA) {
      learning = Math.max(learning, timing.takenBackAfterNanos(loss.ttlNanos()) - loss.ranNanos());
    }
    return startedAtNanos + learning;
  }

  /** Whether data was lost, now or in a run before. */
  public boolean hasLostData() {
    return start == Start.LOST_DATA;
  }

  /**
   * How long coordinators have run since data was lost, so far as anything depends on it; else 0.
   * To be stored now and then: what is not stored in time counts as not run.
   */
  public long ranSinceLossNanos(long nowNanos) {
    return hasLostData() ? Math.min(sinceLossNanos(nowNanos), nothingLeftAfterNanos()) : 0;
  }

  private long sinceLossNanos(long nowNanos) {
    return Nanos.plus(loss.ranNanos(), Nanos.elapsed(startedAtNanos, nowNanos));
  }

  /** So long after a loss nobody uses anything any more that was granted before it. */
  private long nothingLeftAfterNanos() {
    return timing.takenBackAfterNanos(Math.max(longestFloorTtl(), loss.ttlNanos()));
  }

  /**
   * Of every quota the longest time to live that a lease still alive can have; of quotas that are
   * gone, too, until no lease of theirs is left. To be stored before a generation is in force.
   */
  public Map<QuotaId, Long> longestTtls(long nowNanos) {
    Map<QuotaId, Long> longest = new TreeMap<>(BY_NAME);
    oldTtls.forEach(
        (quota, old) -> {
          if (nowNanos - old.untilNanos() < 0) {
            longest.put(quota, old.ttlNanos());
          }
        });
    terms.forEach((quota, now) -> longest.merge(quota, now.ttlNanos(), Math::max));
    return longest;
  }

  private void want(QuotaSpec quota, List<Region> regions) {
    FloorSplit.of(quota, regions)
        .forEach(
            (region, share) ->
                wanted
                    .computeIfAbsent(region, name -> new TreeMap<>(BY_NAME))
                    .put(
                        quota.id(),
                        new FloorShare(
                            quota.rate().perNanos(), share, quota.lease().floorTtlNanos())));
  }

  private void remember(QuotaSpec quota, @Nullable QuotaSpec before, boolean first, long nowNanos) {
    QuotaId id = quota.id();
    if (before != null
        && before.isLeased()
        && before.lease().ttlNanos() > quota.lease().ttlNanos()) {
      outlives(before, nowNanos);
    }
    boolean nothingGranted = first ? start == Start.FIRST : before == null;
    if (nothingGranted || !rules.on(Clause.S11_GROWTH_WAITS)) {
      growsFromNanos.put(id, nowNanos);
    } else if (first || !quota.equals(before) || grows(id)) {
      // No single ledger oversees a floor: it grows when every lease given before has been
      // confirmed against the new terms or has expired.
      long endedNanos = nowNanos + timing.takenBackAfterNanos(longestTtl(quota, nowNanos));
      growsFromNanos.put(id, Nanos.later(endedNanos, learningUntil(id)) + timing.guardNanos());
    }
  }

  /** Leases of a version that is no longer in force may live on for its time to live. */
  private void outlives(QuotaSpec before, long nowNanos) {
    long ttl = longestTtl(before, nowNanos);
    oldTtls.put(before.id(), new OldTtl(ttl, nowNanos + timing.takenBackAfterNanos(ttl)));
  }

  private boolean grows(QuotaId quota) {
    for (Map.Entry<String, Map<QuotaId, FloorShare>> entry : wanted.entrySet()) {
      FloorShare share = entry.getValue().get(quota);
      if (share != null
          && !share.share().fitsIn(counted(entry.getKey(), quota, share.perNanos()))) {
        return true;
      }
    }
    return false;
  }

  private long longestTtl(QuotaSpec quota, long nowNanos) {
    OldTtl old = oldTtls.get(quota.id());
    boolean alive = old != null && nowNanos - old.untilNanos() < 0;
    long ttl = quota.lease().ttlNanos();
    return alive && old != null && rules.on(Clause.S9_LONGEST_TTL)
        ? Math.max(old.ttlNanos(), ttl)
        : ttl;
  }

  private void rewriteTerms(Map<QuotaId, Long> fresh, boolean first, long nowNanos) {
    Set<QuotaId> leased = new HashSet<>();
    for (DomainBook domain : book.domains().values()) {
      for (QuotaSpec quota : domain.quotas()) {
        if (quota.isLeased()) {
          leased.add(quota.id());
          rewriteTerms(quota, domain.regions(), fresh.get(quota.id()), first, nowNanos);
        }
      }
    }
    terms.keySet().retainAll(leased);
  }

  private void rewriteTerms(
      QuotaSpec quota,
      List<Region> regions,
      @Nullable Long storedMicros,
      boolean first,
      long nowNanos) {
    QuotaId id = quota.id();
    long per = quota.rate().perNanos();
    Share sum = Share.ZERO;
    Set<String> everywhere = new LinkedHashSet<>(wanted.keySet());
    everywhere.addAll(floors.keySet());
    for (String region : everywhere) {
      sum = sum.plus(reserved(region, id, per).min(quota.whole())).min(quota.whole());
    }
    Map<String, RegionTerms> regionTerms = new TreeMap<>();
    for (Region region : regions) {
      RegionFloors held = floors.getOrDefault(region.name(), RegionFloors.NONE);
      regionTerms.put(
          region.name(),
          new RegionTerms(
              region.weight(),
              inUnit(held.granted().get(id), per),
              inUnit(held.counted().get(id), per),
              held.boot(),
              drained.contains(region.name())));
    }
    LedgerTerms before = terms.get(id);
    LedgerTerms now =
        new LedgerTerms(
            quota.whole(),
            per,
            quota.maxCostMicros(),
            quota.lease().ttlNanos(),
            longestTtl(quota, nowNanos),
            sum,
            regionTerms,
            timing,
            before == null ? nowNanos : before.sinceNanos());
    if (!now.equals(before)) {
      LedgerTerms since = now.since(nowNanos);
      terms.put(id, since);
      Bucket old = untouched.get(id);
      untouched.put(
          id,
          before == null || old == null
              ? untouchedAtFirst(quota, since, storedMicros, first, nowNanos)
              : regrown(old, since, nowNanos));
    }
  }

  private Bucket untouchedAtFirst(
      QuotaSpec quota, LedgerTerms now, @Nullable Long storedMicros, boolean first, long nowNanos) {
    Share pool = now.leasable();
    Rate rate = new Rate(pool.rateMicros(), now.perNanos());
    if (!first || start == Start.FIRST || !rules.on(Clause.S9_KNOWN_LEVEL)) {
      return new Bucket(pool.burstMicros(), 0, nowNanos, rate, pool.burstMicros());
    }
    long known;
    if (quota.onLostLedger() == LostLedger.FULL) {
      known = pool.burstMicros();
    } else if (now.isSlow() && storedMicros != null) {
      known = storedMicros;
    } else if (now.isSlow() && start == Start.AGAIN) {
      // No mark on intact disks means nothing was granted: full.
      known = pool.burstMicros();
    } else {
      // Also where data was lost and nothing was stored since: what was granted before is not
      // known.
      known = 0;
    }
    long fromNanos =
        rules.on(Clause.S9_MAKES_NOTHING_WHILE_LEARNING)
            ? Nanos.later(nowNanos, learningUntil(quota.id()))
            : nowNanos;
    return new Bucket(Math.min(known, pool.burstMicros()), 0, fromNanos, rate, pool.burstMicros());
  }

  private Bucket regrown(Bucket old, LedgerTerms now, long nowNanos) {
    Share pool = now.leasable();
    Rate rate = new Rate(pool.rateMicros(), now.perNanos());
    return rules.on(Clause.S11_GROWTH_IS_EMPTY)
        ? old.with(rate, pool.burstMicros(), nowNanos)
        : new Bucket(pool.burstMicros(), 0, nowNanos, rate, pool.burstMicros());
  }

  // ------------------------------------------------------------------------------ agents

  /** Takes a request: fences it, gives or renews floors, and says which buckets to recall. */
  public Admission admit(SyncRequest request, long nowNanos) {
    boolean ranOut = letRunOut(nowNanos);
    Admission admission = admitted(request, nowNanos);
    return ranOut ? admission.withFloorsChanged() : admission;
  }

  private Admission admitted(SyncRequest request, long nowNanos) {
    String region = request.region();
    HolderId who = new HolderId(region, request.boot());
    RegionFloors held = floors.getOrDefault(region, RegionFloors.NONE);
    boolean changed = false;
    if (request.boot() > held.newestBoot()) {
      held = held.withNewestBoot(request.boot());
      floors.put(region, held);
    } else if (request.boot() < held.newestBoot() && rules.on(Clause.S8_FENCE_OLDER_BOOT)) {
      if (held.isHeldBy(request.folder(), request.boot()) && request.leaving()) {
        release(region, held, nowNanos);
        changed = true;
      }
      return refused(
          Status.FENCED,
          "a newer run of region " + region + " was seen: " + held.newestBoot(),
          held.newestBoot(),
          changed);
    }
    if (request.leaving()) {
      leftBoots.merge(region, request.boot(), Math::max);
      if (held.isHeldBy(request.folder(), request.boot())) {
        release(region, held, nowNanos);
        changed = true;
      }
      recalls.remove(who);
      return new Admission(
          Status.OK, "", held.newestBoot(), null, isDrained(region), List.of(), changed);
    }
    if (request.boot() <= leftBoots.getOrDefault(region, 0L)
        && rules.on(Clause.S8_FENCE_OLDER_BOOT)) {
      // Sent before its last one, and late: it must not take the floors again.
      return refused(
          Status.FENCED, "this run of region " + region + " has left", held.newestBoot(), false);
    }
    boolean configured = wanted.containsKey(region) || isConfigured(region);
    FloorGrant grant = null;
    if (held.isHeldBy(request.folder(), request.boot())) {
      grant = renewed(region, held, request, nowNanos);
    } else if (configured && mayPass(region, held, request, nowNanos)) {
      grant = passed(region, request, nowNanos);
    }
    boolean floorsChanged = !held.equals(floors.getOrDefault(region, RegionFloors.NONE));
    if (floorsChanged) {
      rewriteTerms(Map.of(), false, nowNanos);
    }
    if (!configured) {
      return new Admission(
          Status.UNKNOWN_REGION,
          "region "
              + region
              + " is not configured: add it under `regions:` in a quota file of the coordinator, or"
              + " correct `region:` in the agent's settings",
          held.newestBoot(),
          grant,
          false,
          List.of(),
          floorsChanged);
    }
    Set<BucketId> due = recalls.remove(who);
    return new Admission(
        Status.OK,
        grant == null ? withoutFloors(region, held) : "",
        request.boot(),
        grant,
        isDrained(region),
        due == null ? List.of() : List.copyOf(due),
        floorsChanged);
  }

  /** Why a run has only leases, and what an operator can do. */
  private String withoutFloors(String region, RegionFloors held) {
    String who =
        held.isHeld() && !held.isLost()
            ? "run " + held.boot() + ", of another data folder,"
            : "since data was lost nobody knows whether a run";
    return who
        + " may still use the floors of region "
        + region
        + ", so this run has leases only, until those floors are given back or have run out. If no"
        + " process uses them any more, say so: weir ctl release-floor "
        + region;
  }

  /** Notes that others wait for what a holder has in a bucket; its next answer will say so. */
  public void recall(HolderId who, BucketId bucket) {
    recalls.computeIfAbsent(who, id -> new LinkedHashSet<>()).add(bucket);
  }

  /** Who holds which floor, to be stored before an answer that changed it is sent. */
  public FloorBook floors() {
    return new FloorBook(version, floors);
  }

  /**
   * Learns that a floor book is durable: what it says of floors that nobody holds any more, others
   * may have from now on. Where this is not called, such floors stay reserved.
   *
   * @return whether there were any
   */
  public boolean stored(FloorBook durable, long nowNanos) {
    boolean freed = false;
    for (Map.Entry<String, RegionFloors> entry : durable.regions().entrySet()) {
      RegionFloors held = floors.get(entry.getKey());
      if (held != null
          && held.equals(entry.getValue())
          && !held.isHeld()
          && !held.counted().equals(held.granted())) {
        floors.put(entry.getKey(), held.withCounted(held.granted()));
        freed = true;
      }
    }
    if (freed) {
      rewriteTerms(Map.of(), false, nowNanos);
    }
    return freed;
  }

  /** Whether a region gets no leases and gives its own back. */
  public boolean isDrained(String region) {
    return drained.contains(region);
  }

  /** Drains a region, or ends that. */
  public void drain(String region, boolean on, long nowNanos) {
    if (on ? drained.add(region) : drained.remove(region)) {
      rewriteTerms(Map.of(), false, nowNanos);
    }
  }

  /**
   * An operator's word that the process holding a region's floors is dead (S8).
   *
   * @return whether there was one, or after lost data may have been
   */
  public boolean releaseFloor(String region, long nowNanos) {
    RegionFloors held = floors.getOrDefault(region, RegionFloors.NONE);
    if (held.isHeld()) {
      release(region, held, nowNanos);
      return true;
    }
    if (start == Start.LOST_DATA && held.version() == 0) {
      floors.put(region, held.released(held.granted(), ++version));
      return true;
    }
    return false;
  }

  private Admission refused(Status status, String detail, long newestBoot, boolean changed) {
    return new Admission(status, detail, newestBoot, null, false, List.of(), changed);
  }

  private boolean isConfigured(String region) {
    for (DomainBook domain : book.domains().values()) {
      for (Region known : domain.regions()) {
        if (known.name().equals(region)) {
          return true;
        }
      }
    }
    return false;
  }

  // ------------------------------------------------------------------------------ floors

  private boolean mayPass(String region, RegionFloors held, SyncRequest request, long nowNanos) {
    if (!rules.on(Clause.S8_ONE_HOLDER)) {
      return true;
    }
    if (!held.isHeld()) {
      return start != Start.LOST_DATA
          || request.floorVersion() > 0
          || held.version() > 0
          || sinceLossNanos(nowNanos) >= nothingLeftAfterNanos();
    }
    if (held.isLost()) {
      return request.floorVersion() > 0;
    }
    // The process has locked the folder of the one before, which is therefore dead.
    boolean locked = held.folder().equals(request.folder()) && request.boot() > held.boot();
    Long runsOut = runsOutAtNanos.get(region);
    return locked || (runsOut != null && nowNanos - runsOut >= 0);
  }

  private long longestFloorTtl() {
    return LeaseTerms.FLOOR_TTL_NANOS_MAX;
  }

  private FloorGrant renewed(String region, RegionFloors held, SyncRequest request, long nowNanos) {
    RegionFloors named =
        request.floorVersion() == held.version() ? held.withCounted(held.granted()) : held;
    Map<QuotaId, FloorShare> next = grantable(region, named, nowNanos);
    RegionFloors after = next.equals(named.granted()) ? named : named.granting(++version, next);
    floors.put(region, after);
    renew(region, after, nowNanos);
    return grant(after, request.floorVersion());
  }

  private FloorGrant passed(String region, SyncRequest request, long nowNanos) {
    RegionFloors before = floors.getOrDefault(region, RegionFloors.NONE);
    RegionFloors free = before.heldBy(request.folder(), request.boot());
    RegionFloors after = free.granting(++version, grantable(region, free, nowNanos));
    floors.put(region, after);
    renew(region, after, nowNanos);
    return grant(after, request.floorVersion());
  }

  private static FloorGrant grant(RegionFloors held, long namedVersion) {
    return new FloorGrant(held.version(), namedVersion == held.version() ? null : held.granted());
  }

  private void release(String region, RegionFloors held, long nowNanos) {
    floors.put(region, unheld(region, held));
    runsOutAtNanos.remove(region);
    rewriteTerms(Map.of(), false, nowNanos);
  }

  /** Floors whose holder was not heard of for so long that it has stopped using them (S8). */
  private boolean letRunOut(long nowNanos) {
    boolean any = false;
    for (Map.Entry<String, RegionFloors> entry : floors.entrySet()) {
      Long runsOut = runsOutAtNanos.get(entry.getKey());
      if (entry.getValue().isHeld() && runsOut != null && nowNanos - runsOut >= 0) {
        entry.setValue(unheld(entry.getKey(), entry.getValue()));
        runsOutAtNanos.remove(entry.getKey());
        any = true;
      }
    }
    return any;
  }

  /**
   * A floor that nobody holds: the next holder gets at once no more of what was given than is still
   * wanted. It counts for all that was given until that is on disk: a desk that began with an older
   * book would give it all again.
   */
  private RegionFloors unheld(String region, RegionFloors held) {
    Map<QuotaId, FloorShare> wants = wanted.getOrDefault(region, Map.of());
    Map<QuotaId, FloorShare> left = new TreeMap<>(BY_NAME);
    held.granted()
        .forEach(
            (quota, floor) -> {
              FloorShare want = wants.get(quota);
              if (want != null) {
                left.put(quota, smaller(floor, want));
              }
            });
    // Of what was lost it is known from here on that nobody uses it; a version tells.
    return held.isLost() ? held.released(left, ++version) : held.released(left, held.version());
  }

  private static FloorShare smaller(FloorShare given, FloorShare want) {
    long per = want.perNanos();
    Share share =
        new Share(
            new Rate(given.share().rateMicros(), given.perNanos()).toPer(per, false).micros(),
            given.share().burstMicros());
    return new FloorShare(per, share.min(want.share()), want.ttlNanos());
  }

  private void renew(String region, RegionFloors held, long nowNanos) {
    long lasts;
    if (held.isLost()) {
      lasts = nothingLeftAfterNanos() - ranSinceLossNanos(nowNanos);
    } else {
      long longest = 0;
      for (FloorShare share : held.counted().values()) {
        longest = Math.max(longest, share.ttlNanos());
      }
      lasts = rules.on(Clause.S8_GUARD) ? timing.takenBackAfterNanos(longest) : longest;
    }
    runsOutAtNanos.put(region, nowNanos + lasts);
  }

  /**
   * The floors a region may have now: smaller ones at once, larger ones when their time has come.
   */
  private Map<QuotaId, FloorShare> grantable(String region, RegionFloors held, long nowNanos) {
    Map<QuotaId, FloorShare> next = new TreeMap<>(BY_NAME);
    for (Map.Entry<QuotaId, FloorShare> entry : wanted.getOrDefault(region, Map.of()).entrySet()) {
      QuotaId id = entry.getKey();
      FloorShare want = entry.getValue();
      QuotaSpec quota = book.quota(id);
      long from = growsFromNanos.getOrDefault(id, nowNanos);
      Share limit = inUnit(held.granted().get(id), want.perNanos());
      if (quota != null && nowNanos - from >= 0) {
        limit = limit.max(quota.whole().minusOrZero(countedElsewhere(region, id, want.perNanos())));
      }
      Share share = want.share().min(limit);
      long usable = quota == null ? 0 : quota.maxCostMicros();
      next.put(
          id,
          new FloorShare(
              want.perNanos(), share.burstMicros() < usable ? Share.ZERO : share, want.ttlNanos()));
    }
    return next;
  }

  private Share countedElsewhere(String region, QuotaId quota, long perNanos) {
    Share sum = Share.ZERO;
    for (String other : floors.keySet()) {
      if (!other.equals(region)) {
        sum = sum.plus(counted(other, quota, perNanos));
      }
    }
    return sum;
  }

  private Share counted(String region, QuotaId quota, long perNanos) {
    if (!rules.on(Clause.S11_LARGEST_VERSION)) {
      return inUnit(wanted.getOrDefault(region, Map.of()).get(quota), perNanos);
    }
    RegionFloors held = floors.getOrDefault(region, RegionFloors.NONE);
    return inUnit(held.counted().get(quota), perNanos);
  }

  /** What a region's floor takes from the quota: what it may use, or will be given. */
  private Share reserved(String region, QuotaId quota, long perNanos) {
    FloorShare want = wanted.getOrDefault(region, Map.of()).get(quota);
    Share counted = counted(region, quota, perNanos);
    return want == null ? counted : counted.max(want.share());
  }

  /** Rounded up: a floor never counts for less than it may be used. */
  private static Share inUnit(@Nullable FloorShare floor, long perNanos) {
    if (floor == null) {
      return Share.ZERO;
    }
    Share share = floor.share();
    return floor.perNanos() == perNanos
        ? share
        : new Share(
            new Rate(share.rateMicros(), floor.perNanos()).toPer(perNanos, true).micros(),
            share.burstMicros());
  }
}
