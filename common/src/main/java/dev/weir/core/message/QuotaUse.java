package dev.weir.core.message;

import dev.weir.core.math.Check;
import dev.weir.core.quota.QuotaId;

/**
 * What an agent has admitted of a quota, over all its buckets: running totals, for operators. No
 * rule rests on it.
 *
 * @param usedMicros taken from leases and floors
 * @param besideMicros admitted by fallbacks, beside leases and floors: all that can be beyond the
 *     quota
 */
public record QuotaUse(QuotaId quota, long usedMicros, long besideMicros) {
  public QuotaUse {
    Check.inRange("usedMicros", usedMicros, 0, Long.MAX_VALUE);
    Check.inRange("besideMicros", besideMicros, 0, Long.MAX_VALUE);
  }

  /** Nothing yet. */
  public static QuotaUse none(QuotaId quota) {
    return new QuotaUse(quota, 0, 0);
  }

  /** What was admitted since; nothing where a total is smaller than it was. */
  public QuotaUse since(QuotaUse before) {
    return new QuotaUse(
        quota,
        Math.max(0, usedMicros - before.usedMicros),
        Math.max(0, besideMicros - before.besideMicros));
  }
}
