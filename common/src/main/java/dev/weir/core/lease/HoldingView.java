package dev.weir.core.lease;

import dev.weir.core.message.OfferId;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Share;

/**
 * What an agent shows of one bucket that the coordinator knows.
 *
 * @param perNanos the unit of {@code lease}'s rate
 * @param expiresInNanos time left; 0 without a lease
 * @param demandMicros micro-tokens per second
 */
public record HoldingView(
    BucketId bucket,
    OfferId applied,
    long perNanos,
    Share lease,
    long expiresInNanos,
    long levelMicros,
    long demandMicros,
    boolean learning) {}
