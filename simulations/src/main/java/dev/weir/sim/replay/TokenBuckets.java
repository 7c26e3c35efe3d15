package dev.weir.sim.replay;

import dev.weir.core.bucket.Bucket;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The token buckets of one place, full when they are first asked for; all or nothing (S12). With
 * the whole of every quota it is the oracle: what one place that sees everything at once would
 * decide. Not safe for use by several threads: its arrivals have an order.
 */
public final class TokenBuckets {
  private final World world;
  private final Function<BucketId, Share> shares;
  private final Map<BucketId, Bucket> buckets = new HashMap<>();

  /**
   * The buckets of a place that may spend a share of each.
   *
   * @param shares in the unit of the quota's rate
   */
  public TokenBuckets(World world, Function<BucketId, Share> shares) {
    this.world = world;
    this.shares = shares;
  }

  /** Those of a place that may spend all of the quotas in force. */
  public static TokenBuckets whole(World world) {
    return new TokenBuckets(world, id -> world.quota(id).whole());
  }

  /** Decides about a request that is asked now. */
  public boolean admits(Request request) {
    long nowNanos = world.time().nowNanos();
    long costMicros = request.costMicros();
    List<BucketId> ids = request.subject().buckets();
    if (ids.size() == 1) {
      return admitsOne(ids.get(0), costMicros, nowNanos);
    }
    for (BucketId id : ids) {
      if (costMicros > world.quota(id).maxCostMicros()
          || bucket(id, nowNanos).levelAt(nowNanos) < costMicros) {
        return false;
      }
    }
    for (BucketId id : ids) {
      buckets.put(id, bucket(id, nowNanos).take(costMicros, nowNanos).after());
    }
    return true;
  }

  private boolean admitsOne(BucketId id, long costMicros, long nowNanos) {
    if (costMicros > world.quota(id).maxCostMicros()) {
      return false;
    }
    Bucket.Taking taking = bucket(id, nowNanos).take(costMicros, nowNanos);
    buckets.put(id, taking.after());
    return taking.admitted();
  }

  private Bucket bucket(BucketId id, long nowNanos) {
    Bucket known = buckets.get(id);
    if (known != null) {
      return known;
    }
    Share share = shares.apply(id);
    return Bucket.full(rate(id, share), share.burstMicros(), nowNanos);
  }

  /** Shares or quotas are others from now on: levels stay, as far as there is room for them. */
  public void sharesChanged() {
    long nowNanos = world.time().nowNanos();
    buckets.replaceAll(
        (id, bucket) -> {
          Share share = shares.apply(id);
          return bucket.with(rate(id, share), share.burstMicros(), nowNanos);
        });
  }

  private Rate rate(BucketId id, Share share) {
    QuotaSpec quota = world.quota(id);
    return new Rate(share.rateMicros(), quota.rate().perNanos());
  }
}
