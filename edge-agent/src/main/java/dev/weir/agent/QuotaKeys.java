package dev.weir.agent;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Change;
import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.SharedTerms;
import dev.weir.core.bucket.Standing;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.BucketKey;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of one quota's keys, for one boot. Looking one up allocates nothing where it is
 * there; any thread may. What changes all of them at once is called by the sync thread alone.
 *
 * <p>All keys without a lease are on one shared terms object, so that a million of them need no
 * terms of their own.
 */
final class QuotaKeys {
  /**
   * Keys with terms of their own are told of a later end only when it is later by this part; nearer
   * to the end than this, all keys get new terms.
   */
  private static final int EXTENSION_PARTS = 8;

  /**
   * A bucket that was wanted lately is kept: a lease may be on its way to it. Longer than any first
   * request waits.
   */
  private static final long WANTED_NANOS = 2 * LeaseTerms.FIRST_LEASE_WAIT_NANOS_MAX;

  private final QuotaId quota;

  /** The key whose value alone tells the buckets apart; null where there is none, or several. */
  private final @Nullable String soleKey;

  private final KeyRoom room;
  private final ConcurrentHashMap<String, KeyBucket> buckets = new ConcurrentHashMap<>();
  private volatile SharedTerms terms;
  private volatile Footing floor = Footing.nothing(Standing.NO_LEASE);

  /** All keys beyond the cap; no other key of a quota that has keys is the empty text. */
  private volatile @Nullable KeyBucket overflow;

  private volatile long overflowedAtNanos;

  /** The end that keys on terms of their own were last told of. */
  private long toldUntilNanos;

  private @Nullable Iterator<KeyBucket> sweep;

  QuotaKeys(QuotaSpec spec, KeyRoom room, long nowNanos) {
    this.quota = spec.id();
    List<String> free = spec.match().stream().filter(Match::isFree).map(Match::key).toList();
    this.soleKey = free.size() == 1 ? free.get(0) : null;
    this.room = room;
    this.terms = SharedTerms.first(floor, 0, nowNanos);
  }

  QuotaId quota() {
    return quota;
  }

  int size() {
    return buckets.size();
  }

  // ------------------------------------------------------------------------------ decisions

  /**
   * Returns the bucket of a key, or, where there is no room for another, the one that all further
   * keys share.
   *
   * @param name what tells it apart: the value of the only free key, or else the bucket's key
   */
  KeyBucket bucket(String name, long nowNanos) {
    KeyBucket known = buckets.get(name);
    return known != null ? known : make(name, nowNanos);
  }

  /** Forgets a bucket that was found to be retired. */
  void drop(KeyBucket retired) {
    if (buckets.remove(retired.name, retired)) {
      room.free();
    }
  }

  boolean isOverflow(KeyBucket bucket) {
    return bucket.equals(overflow);
  }

  /**
   * Under a lock, so that a change of all keys either finds the new one or was there before it: a
   * bucket that it missed would go on at the old floor.
   */
  private synchronized KeyBucket make(String name, long nowNanos) {
    KeyBucket known = buckets.get(name);
    if (known != null) {
      return known;
    }
    if (!room.take()) {
      return overflow(nowNanos);
    }
    KeyBucket made = fresh(name, nowNanos);
    buckets.put(name, made);
    return made;
  }

  private KeyBucket fresh(String name, long nowNanos) {
    if (overflow == null) {
      return new KeyBucket(name, terms);
    }
    // It may have been one of those that shared: it holds no more than it has made since (section
    // 4).
    long madeMicros = floor.rate().minted(Nanos.elapsed(overflowedAtNanos, nowNanos));
    return new KeyBucket(name, terms, madeMicros, nowNanos);
  }

  private KeyBucket overflow(long nowNanos) {
    overflowedAtNanos = nowNanos;
    KeyBucket shared = overflow;
    if (shared == null) {
      shared = new KeyBucket("", terms, 0, nowNanos);
      overflow = shared;
    }
    return shared;
  }

  // ------------------------------------------------------------------------------ sync thread

  Footing floor() {
    return floor;
  }

  /** See {@link dev.weir.core.lease.Keys#setFloor}. */
  void setFloor(Rate rate, long burstMicros, long untilNanos, long nowNanos) {
    boolean none = rate.micros() == 0 && burstMicros == 0;
    toldUntilNanos = untilNanos;
    Share share = new Share(rate.micros(), burstMicros);
    stand(
        none
            ? Footing.nothing(Standing.NO_LEASE)
            : ending(Footing.lasting(Standing.FLOOR, share, rate.perNanos()), untilNanos),
        nowNanos);
  }

  /**
   * See {@link dev.weir.core.lease.Keys#extendFloor}. As long as the end is far, the terms that
   * keys share are told of a later one, and nothing else happens.
   */
  void extendFloor(long untilNanos, long nowNanos) {
    if (!floor.ends()) {
      return;
    }
    long partNanos = (untilNanos - nowNanos) / EXTENSION_PARTS;
    if (floor.endsAtNanos() - nowNanos < partNanos) {
      setFloor(floor.rate(), floor.share().burstMicros(), untilNanos, nowNanos);
      return;
    }
    if (untilNanos - floor.endsAtNanos() > 0) {
      terms.extend(untilNanos);
      floor = ending(floor, untilNanos);
    }
    if (untilNanos - toldUntilNanos > partNanos) {
      toldUntilNanos = untilNanos;
      forAll(bucket -> extendOwn(bucket, nowNanos));
    }
  }

  private void extendOwn(KeyBucket bucket, long nowNanos) {
    if (!bucket.isOnSharedTerms()
        && bucket.standingAt(nowNanos) != Standing.LEASE
        && !bucket.renew(floor, nowNanos)) {
      long unused = bucket.change(Change.toFloor(floor, Rules.ALL), nowNanos);
    }
  }

  private static Footing ending(Footing floor, long untilNanos) {
    return floor.until(untilNanos, Footing.nothing(Standing.LEASE_EXPIRED), Rules.ALL);
  }

  /** Nothing is admitted any more. */
  void end(Standing why, long nowNanos) {
    Footing nothing = Footing.nothing(why);
    stand(nothing, nowNanos);
    forAll(
        bucket -> {
          long unused = bucket.change(Change.to(nothing), nowNanos);
        });
  }

  /** The quota is gone: its keys take no room any more. */
  void freeAll() {
    for (KeyBucket bucket : buckets.values()) {
      drop(bucket);
    }
  }

  /** Returns the bucket that the coordinator knows by this key, if there is one. */
  @Nullable KeyBucket find(String key) {
    KeyBucket shared = overflow;
    if (key.isEmpty() && shared != null) {
      return shared;
    }
    return buckets.get(soleKey == null || key.isEmpty() ? key : BucketKey.decode(key).value(0));
  }

  /** Returns what the coordinator knows a bucket by. */
  BucketId id(KeyBucket bucket) {
    return id(bucket, bucket.name);
  }

  /**
   * Returns what the coordinator would know a bucket by.
   *
   * @param bucket null where the key has none
   */
  BucketId id(@Nullable KeyBucket bucket, String name) {
    String key = soleKey;
    return new BucketId(
        quota,
        key == null || (bucket != null && isOverflow(bucket))
            ? name
            : BucketKey.encode(Descriptors.of(key, name)));
  }

  /** Looks at some keys, and forgets those of which nothing needs to be remembered. */
  void sweep(int keys, long nowNanos) {
    Iterator<KeyBucket> all = sweep;
    if (all == null || !all.hasNext()) {
      all = buckets.values().iterator();
      sweep = all;
    }
    for (int i = 0; i < keys && all.hasNext(); i++) {
      KeyBucket bucket = all.next();
      if (!bucket.wasWantedWithin(WANTED_NANOS, nowNanos) && bucket.retire(terms, nowNanos)) {
        drop(bucket);
      }
    }
  }

  Iterable<KeyBucket> all() {
    return buckets.values();
  }

  @Nullable KeyBucket overflow() {
    return overflow;
  }

  private void stand(Footing footing, long nowNanos) {
    SharedTerms next = terms.changedForAll(Change.toFloor(footing, Rules.ALL), nowNanos);
    synchronized (this) {
      floor = footing;
      terms = next;
    }
    forAll(bucket -> stand(bucket, nowNanos));
    next.settled();
  }

  private void forAll(Consumer<KeyBucket> action) {
    buckets.values().forEach(action);
    KeyBucket shared = overflow;
    if (shared != null) {
      action.accept(shared);
    }
  }

  /** One that had a lease has terms of its own, for good; while it has one, the edge changes it. */
  private void stand(KeyBucket bucket, long nowNanos) {
    if (!bucket.follow(terms) && bucket.standingAt(nowNanos) != Standing.LEASE) {
      long unused = bucket.change(Change.toFloor(floor, Rules.ALL), nowNanos);
    }
  }
}
