package dev.weir.sim.baseline;

import dev.weir.core.bucket.Bucket;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Share;
import dev.weir.sim.replay.Request;
import dev.weir.sim.replay.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The token buckets of one process, full when they are first asked for, as limiters in a library
 * are. What may be spent from each is a share of its quota that somebody else decides.
 */
final class LocalBuckets {
  private final World world;
  private final Function<BucketId, Share> shares;
  private final Map<BucketId, Bucket> buckets = new HashMap<>();

  /**
   * The buckets of a process that has just started.
   *
   * @param shares what the process may spend of a bucket, in the unit of its quota's rate
   */
  LocalBuckets(World world, Function<BucketId, Share> shares) {
    this.world = world;
    this.shares = shares;
  }

  /** Takes the cost from all buckets or from none. */
  boolean take(Request request) {
    List<BucketId> ids = request.subject().buckets();
    long nowNanos = world.time().nowNanos();
    for (BucketId id : ids) {
      if (request.costMicros() > world.quota(id).maxCostMicros()
          || bucket(id, nowNanos).levelMicros() < request.costMicros()) {
        return false;
      }
    }
    for (BucketId id : ids) {
      buckets.put(id, bucket(id, nowNanos).take(request.costMicros(), nowNanos).after());
    }
    return true;
  }

  /** Shares are others from now on: levels stay, as far as there is room for them. */
  void refit() {
    long nowNanos = world.time().nowNanos();
    buckets.replaceAll(
        (id, bucket) -> {
          Share share = shares.apply(id);
          return bucket.with(Shares.rate(share, world.quota(id)), share.burstMicros(), nowNanos);
        });
  }

  private Bucket bucket(BucketId id, long nowNanos) {
    Bucket bucket = buckets.get(id);
    if (bucket != null) {
      return bucket.refill(nowNanos);
    }
    QuotaSpec quota = world.quota(id);
    Share share = shares.apply(id);
    return Bucket.full(Shares.rate(share, quota), share.burstMicros(), nowNanos);
  }
}
