package dev.weir.sim.fleet;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Change;
import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.SharedTerms;
import dev.weir.core.bucket.Standing;
import dev.weir.core.lease.Keys;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An agent's keys, for one thread. */
final class SimKeys implements Keys {
  /** See the agent's {@code QuotaKeys}. */
  private static final int EXTENSION_PARTS = 8;

  private final Rules rules;
  private final LongSupplier now;
  private final long bornNanos;
  private final Map<QuotaId, Floor> floors = new HashMap<>();
  private final Map<BucketId, HotBucket> buckets = new LinkedHashMap<>();

  /** One quota's floor. */
  private static final class Floor {
    Footing footing = Footing.nothing(Standing.NO_LEASE);
    SharedTerms shared;

    /** The end that keys on terms of their own were last told of. */
    long toldUntilNanos;

    Floor(long nowNanos) {
      shared = SharedTerms.first(footing, 0, nowNanos);
    }
  }

  SimKeys(Rules rules, LongSupplier now) {
    this.rules = rules;
    this.now = now;
    this.bornNanos = now.getAsLong();
  }

  private Floor of(QuotaId quota) {
    return floors.computeIfAbsent(quota, id -> new Floor(bornNanos));
  }

  @Override
  public Footing floor(QuotaId quota) {
    return of(quota).footing;
  }

  @Override
  public void setFloor(QuotaId quota, Rate rate, long burstMicros, long untilNanos, long nowNanos) {
    Floor floor = of(quota);
    floor.toldUntilNanos = untilNanos;
    floor.footing =
        burstMicros == 0 && rate.micros() == 0
            ? Footing.nothing(Standing.NO_LEASE)
            : Footing.lasting(
                    Standing.FLOOR, new Share(rate.micros(), burstMicros), rate.perNanos())
                .until(untilNanos, Footing.nothing(Standing.LEASE_EXPIRED), Rules.ALL);
    standOn(quota, floor, nowNanos);
  }

  private void standOn(QuotaId quota, Floor floor, long nowNanos) {
    Change change = Change.toFloor(floor.footing, rules);
    floor.shared = floor.shared.changedForAll(change, nowNanos);
    buckets.forEach(
        (id, bucket) -> {
          if (id.quota().equals(quota)
              && !bucket.follow(floor.shared)
              && bucket.standingAt(nowNanos) != Standing.LEASE) {
            bucket.change(change, nowNanos);
          }
        });
    floor.shared.settled();
  }

  /** As the agent does: while the end is far, only the terms that keys share are told of it. */
  @Override
  public void extendFloor(QuotaId quota, long untilNanos) {
    Floor floor = of(quota);
    if (!floor.footing.ends()) {
      return;
    }
    long nowNanos = now.getAsLong();
    long partNanos = (untilNanos - nowNanos) / EXTENSION_PARTS;
    if (floor.footing.endsAtNanos() - nowNanos < partNanos) {
      setFloor(
          quota, floor.footing.rate(), floor.footing.share().burstMicros(), untilNanos, nowNanos);
      return;
    }
    if (untilNanos - floor.footing.endsAtNanos() > 0) {
      floor.shared.extend(untilNanos);
      floor.footing =
          floor.footing.until(untilNanos, Footing.nothing(Standing.LEASE_EXPIRED), Rules.ALL);
    }
    if (untilNanos - floor.toldUntilNanos > partNanos) {
      floor.toldUntilNanos = untilNanos;
      buckets.forEach((id, bucket) -> extendOwn(quota, id, bucket, floor.footing, nowNanos));
    }
  }

  private void extendOwn(
      QuotaId quota, BucketId id, HotBucket bucket, Footing footing, long nowNanos) {
    if (id.quota().equals(quota)
        && !bucket.isOnSharedTerms()
        && bucket.standingAt(nowNanos) != Standing.LEASE
        && !bucket.renew(footing, nowNanos)) {
      long unused = bucket.change(Change.toFloor(footing, rules), nowNanos);
    }
  }

  @Override
  public @Nullable HotBucket bucket(BucketId id) {
    return buckets.get(id);
  }

  @Override
  public void adopt(QuotaBook book) {
    buckets.keySet().removeIf(id -> book.quota(id.quota()) == null);
  }

  /** The bucket of a key that is asked for. */
  HotBucket ask(BucketId id, long nowNanos) {
    HotBucket bucket = buckets.get(id);
    if (bucket == null) {
      bucket = new HotBucket(of(id.quota()).shared.latest(nowNanos));
      buckets.put(id, bucket);
    }
    return bucket;
  }

  /** Forgets what forgetting does not change. */
  void sweep(long nowNanos) {
    buckets
        .entrySet()
        .removeIf(entry -> entry.getValue().retire(of(entry.getKey().quota()).shared, nowNanos));
  }

  /** What a key may spend now, also one that nobody has asked for. */
  Share share(BucketId id, long perNanos, long nowNanos) {
    HotBucket bucket = buckets.get(id);
    if (bucket == null) {
      Floor floor = of(id.quota());
      bucket = new HotBucket(floor.shared.latest(nowNanos));
    }
    Footing footing = bucket.footingAt(nowNanos);
    return new Share(footing.rate().toPer(perNanos, false).micros(), footing.share().burstMicros());
  }

  long level(BucketId id, long nowNanos) {
    HotBucket bucket = buckets.get(id);
    return bucket == null
        ? of(id.quota()).shared.latest(nowNanos).freshLevelMicros(nowNanos)
        : Math.max(0, bucket.levelAt(nowNanos));
  }
}
