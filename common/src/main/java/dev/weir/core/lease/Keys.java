package dev.weir.core.lease;

import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.message.QuotaUse;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Rate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An agent's keys, as {@link Edge} changes them: every key of a quota shares one floor. Called by
 * the one thread that drives the edge.
 */
public interface Keys {
  /** What a quota's keys stand on without a lease: the floor, or nothing. */
  Footing floor(QuotaId quota);

  /**
   * Gives every key of a quota, also those yet to come, this floor from now on. Levels stay, cut to
   * the new burst; a key nobody has asked for counts as full at the size before (S11), empty where
   * there was none. When the call returns no decision uses the old floor, but for buckets with a
   * lease, which the edge then changes itself.
   *
   * @param untilNanos the instant from which the floor may not be used without a later answer (S8)
   */
  void setFloor(QuotaId quota, Rate rate, long burstMicros, long untilNanos, long nowNanos);

  /** Prolongs a quota's floor. Decisions from {@code untilNanos} on are refused. */
  void extendFloor(QuotaId quota, long untilNanos);

  /** The bucket of a key, or null if nobody has asked for it. */
  @Nullable HotBucket bucket(BucketId id);

  /** What was admitted of each quota, as running totals since any instant; for operators. */
  default List<QuotaUse> uses() {
    return List.of();
  }

  /** Other quotas are in force: keys of those that are gone are dropped. */
  void adopt(QuotaBook book);
}
