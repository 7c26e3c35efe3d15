package dev.weir.core.message;

import dev.weir.core.math.Check;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Share;

/**
 * What an agent declares about one bucket in a request (section 2 of the design).
 *
 * @param bucket the bucket
 * @param applied the last offer about this bucket that the agent applied
 * @param sinceAppliedNanos time on the agent's clock from applying that offer to sending this
 *     request; it lets the coordinator bound how long the request was on its way (S5). 0 with
 *     {@link OfferId#NONE}
 * @param perNanos the unit of {@code held}'s rate
 * @param held lease rate and burst held when the request was sent, without the floor
 * @param levelMicros tokens in the whole bucket (floor and lease), charges that may still be given
 *     back included
 * @param highestMicros the highest the level can have been since the oldest request whose answer
 *     was not applied was sent (S5); at least {@code levelMicros}
 * @param demandMicros micro-tokens per second asked for, admitted and refused
 * @param givenBackMicros running total of tokens cut off by shrinking leases, per boot and bucket
 *     (S4)
 * @param dry whether requests were refused since the last report
 */
public record BucketReport(
    BucketId bucket,
    OfferId applied,
    long sinceAppliedNanos,
    long perNanos,
    Share held,
    long levelMicros,
    long highestMicros,
    long demandMicros,
    long givenBackMicros,
    boolean dry) {
  public BucketReport {
    Check.inRange("sinceAppliedNanos", sinceAppliedNanos, 0, Long.MAX_VALUE);
    Check.inRange("perNanos", perNanos, 1, Long.MAX_VALUE);
    Check.inRange("levelMicros", levelMicros, 0, Long.MAX_VALUE);
    Check.inRange("highestMicros", highestMicros, levelMicros, Long.MAX_VALUE);
    Check.inRange("demandMicros", demandMicros, 0, Long.MAX_VALUE);
    Check.inRange("givenBackMicros", givenBackMicros, 0, Long.MAX_VALUE);
  }
}
