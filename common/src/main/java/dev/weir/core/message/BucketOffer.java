package dev.weir.core.message;

import dev.weir.core.math.Check;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Share;

/**
 * What the coordinator answers about one bucket.
 *
 * @param bucket the bucket
 * @param id number of this offer
 * @param perNanos the unit of {@code share}'s rate
 * @param share lease rate and burst from now on, absolute; zero takes the lease back
 * @param tokensMicros tokens that come along, an addition
 * @param ttlNanos how long the lease is valid, counted from when the request was sent (S6)
 * @param confirm whether to send at once what is held now: others wait for what this takes back
 * @param contended whether other regions want more than they have: demand then counts as measured,
 *     without slow falling
 * @param learning whether the coordinator is learning and only confirms (S9)
 */
public record BucketOffer(
    BucketId bucket,
    OfferId id,
    long perNanos,
    Share share,
    long tokensMicros,
    long ttlNanos,
    boolean confirm,
    boolean contended,
    boolean learning) {
  public BucketOffer {
    Check.inRange("perNanos", perNanos, 1, Long.MAX_VALUE);
    Check.inRange("tokensMicros", tokensMicros, 0, Long.MAX_VALUE);
    Check.inRange("ttlNanos", ttlNanos, 0, Long.MAX_VALUE);
  }
}
