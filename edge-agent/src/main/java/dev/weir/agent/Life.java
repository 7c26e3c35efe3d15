package dev.weir.agent;

import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.Standing;
import dev.weir.core.lease.Keys;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.QuotaUse;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One boot of an agent: its buckets, which begin empty and end with it. Decisions of any thread
 * read it; the sync thread alone changes it.
 */
final class Life implements Keys {
  /** Keys of a quota looked at in one go, and the part of them: a round takes so many goes. */
  private static final int SWEPT_MIN = 200;

  private static final int SWEPT_PARTS = 100;

  private final String region;
  private final KeyRoom room;
  private final LongSupplier clock;
  private final Function<QuotaId, QuotaCounters> counters;
  private final Consumer<QuotaBook> store;
  private final CutOff cutOff;

  private final Map<QuotaId, QuotaKeys> keys = new HashMap<>();
  private final Map<QuotaId, LiveQuota> live = new HashMap<>();
  private volatile Tables tables;
  private volatile boolean drained;
  private volatile @Nullable Reason over;

  /**
   * Begins.
   *
   * @param region the agent's
   * @param store told of each new configuration
   */
  Life(
      QuotaBook book,
      String region,
      KeyRoom room,
      LongSupplier clock,
      Function<QuotaId, QuotaCounters> counters,
      Consumer<QuotaBook> store) {
    this.region = region;
    this.room = room;
    this.clock = clock;
    this.counters = counters;
    this.store = store;
    this.cutOff = new CutOff(clock.getAsLong());
    this.tables = new Tables(book, region, this::live);
  }

  /** Returns what decisions look up. */
  Tables tables() {
    return tables;
  }

  CutOff cutOff() {
    return cutOff;
  }

  /** Returns why nothing is admitted any more; null while it goes on. */
  @Nullable Reason over() {
    return over;
  }

  boolean isDrained() {
    return drained;
  }

  int keyCount() {
    return room.used();
  }

  // ------------------------------------------------------------------------------ the edge

  @Override
  public Footing floor(QuotaId quota) {
    QuotaKeys all = keys.get(quota);
    return all == null ? Footing.nothing(Standing.NO_LEASE) : all.floor();
  }

  @Override
  public void setFloor(QuotaId quota, Rate rate, long burstMicros, long untilNanos, long nowNanos) {
    QuotaKeys all = keys.get(quota);
    if (all != null) {
      all.setFloor(rate, burstMicros, untilNanos, nowNanos);
    }
  }

  @Override
  public void extendFloor(QuotaId quota, long untilNanos) {
    QuotaKeys all = keys.get(quota);
    if (all != null) {
      all.extendFloor(untilNanos, clock.getAsLong());
    }
  }

  @Override
  public @Nullable HotBucket bucket(BucketId id) {
    QuotaKeys all = keys.get(id.quota());
    return all == null ? null : all.find(id.key());
  }

  @Override
  public List<QuotaUse> uses() {
    List<QuotaUse> uses = new ArrayList<>(live.size());
    live.forEach(
        (quota, its) ->
            uses.add(
                new QuotaUse(
                    quota,
                    Math.max(0, its.counters().usedMicros()),
                    Math.max(0, its.counters().besideMicros()))));
    return uses;
  }

  @Override
  public void adopt(QuotaBook book) {
    forgetChanged(book);
    tables = new Tables(book, region, this::live);
    store.accept(book);
  }

  /** A quota that matches otherwise is another one: it starts anew (S11). */
  private void forgetChanged(QuotaBook book) {
    keys.values()
        .removeIf(
            all -> {
              QuotaSpec next = book.quota(all.quota());
              QuotaSpec before = tables.book().quota(all.quota());
              boolean same =
                  next != null
                      && before != null
                      && next.match().equals(before.match())
                      && next.enforcement() == before.enforcement();
              if (!same) {
                all.end(Standing.NO_LEASE, clock.getAsLong());
                all.freeAll();
                live.remove(all.quota());
              }
              return !same;
            });
  }

  private LiveQuota live(QuotaSpec spec) {
    LiveQuota before = live.get(spec.id());
    LeaseTerms lease = spec.lease();
    LiveQuota next =
        new LiveQuota(
            spec,
            keys.computeIfAbsent(spec.id(), id -> new QuotaKeys(spec, room, clock.getAsLong())),
            counters.apply(spec.id()),
            budgets(
                spec.onLeaseExpiry(),
                lease.ttlNanos(),
                before == null ? null : before.leaseBudget()),
            budgets(
                spec.onFloorExpiry(),
                lease.floorTtlNanos(),
                before == null ? null : before.floorBudget()),
            // There is no store yet: it has been missing since the start.
            budgets(spec.onStoreLoss(), 0, before == null ? null : before.storeBudget()));
    live.put(spec.id(), next);
    return next;
  }

  /** Those that stay the same keep their levels when the configuration changes. */
  private @Nullable Budgets budgets(Fallback fallback, long afterNanos, @Nullable Budgets before) {
    if (!(fallback instanceof Fallback.Budget budget)) {
      return null;
    }
    if (before != null && before.isOf(budget, afterNanos)) {
      return before;
    }
    long nowNanos = clock.getAsLong();
    return new Budgets(budget, new CutOffClock(afterNanos, nowNanos), nowNanos);
  }

  // ------------------------------------------------------------------------------ sync thread

  /** An answer was applied. */
  void heard(SyncAnswer answer, long sentAtNanos, long nowNanos) {
    cutOff.heard(sentAtNanos);
    drained = answer.drained();
    for (LiveQuota quota : live.values()) {
      heard(quota.leaseBudget(), sentAtNanos, nowNanos);
      heard(quota.floorBudget(), sentAtNanos, nowNanos);
    }
    for (BucketOffer offer : answer.offers()) {
      QuotaKeys all = keys.get(offer.bucket().quota());
      KeyBucket bucket = all == null ? null : all.find(offer.bucket().key());
      if (bucket != null) {
        bucket.learning = offer.learning();
      }
    }
  }

  /** Ends: when this returns, no bucket of this boot admits anything. */
  void end(Reason why) {
    over = why;
    Standing standing = why == Reason.FENCED ? Standing.FENCED : Standing.DRAINED;
    long nowNanos = clock.getAsLong();
    keys.values().forEach(all -> all.end(standing, nowNanos));
  }

  /** The next boot has begun: what is left here takes no room any more. */
  void dropAll() {
    keys.values().forEach(QuotaKeys::freeAll);
  }

  /** Looks at some keys of each quota, and forgets those of which nothing must be remembered. */
  void sweep(long nowNanos) {
    for (QuotaKeys all : keys.values()) {
      all.sweep(Math.max(SWEPT_MIN, all.size() / SWEPT_PARTS), nowNanos);
    }
  }

  private static void heard(@Nullable Budgets budgets, long sentAtNanos, long nowNanos) {
    if (budgets != null) {
      budgets.heard(sentAtNanos, nowNanos);
    }
  }
}
