package dev.weir.core.message;

import dev.weir.core.math.Check;
import dev.weir.core.quota.Share;

/**
 * A region's floor in one quota.
 *
 * @param perNanos the unit of {@code share}'s rate
 * @param share the floor's rate and burst
 * @param ttlNanos how long it may be used without an answer (S8)
 */
public record FloorShare(long perNanos, Share share, long ttlNanos) {
  public FloorShare {
    Check.inRange("perNanos", perNanos, 1, Long.MAX_VALUE);
    Check.inRange("ttlNanos", ttlNanos, 1, Long.MAX_VALUE);
  }
}
