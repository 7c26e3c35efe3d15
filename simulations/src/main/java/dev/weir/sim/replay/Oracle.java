package dev.weir.sim.replay;

import dev.weir.core.bucket.Bucket;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one place that sees everything at once would decide: one bucket per key for all regions,
 * full at first; all or nothing (S12). A change of quota reaches it at once, and levels stay. Not
 * safe for use by several threads: its arrivals have an order.
 */
public final class Oracle {
  private final World world;
  private final Map<BucketId, Bucket> buckets = new HashMap<>();

  /** An oracle of the quotas that are in force in a world. */
  public Oracle(World world) {
    this.world = world;
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
    QuotaSpec quota = world.quota(id);
    return Bucket.full(quota.rate(), quota.burstMicros(), nowNanos);
  }

  /** Other quotas are in force in the world from now on. */
  public void quotasChanged() {
    long nowNanos = world.time().nowNanos();
    buckets.replaceAll(
        (id, bucket) -> {
          QuotaSpec quota = world.quota(id);
          return bucket.with(quota.rate(), quota.burstMicros(), nowNanos);
        });
  }
}
