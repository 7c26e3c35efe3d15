package dev.weir.agent;

import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaSpec;
import org.jspecify.annotations.Nullable;

/**
 * One quota of one configuration, with all that deciding about it needs.
 *
 * @param leaseBudget for {@code onLeaseExpiry: budget}
 * @param floorBudget for {@code onFloorExpiry: budget}
 * @param storeBudget for {@code onStoreLoss: budget}
 */
record LiveQuota(
    QuotaSpec spec,
    QuotaKeys keys,
    QuotaCounters counters,
    @Nullable Budgets leaseBudget,
    @Nullable Budgets floorBudget,
    @Nullable Budgets storeBudget) {
  boolean isEnforced() {
    return spec.mode() == Mode.ENFORCE;
  }

  /** Whether a decision must ask if the agent is cut off before it takes anything. */
  boolean deniesWhenCutOff() {
    return spec.onLeaseExpiry() instanceof Fallback.Deny;
  }

  long ttlNanos() {
    return spec.lease().ttlNanos();
  }

  long floorTtlNanos() {
    return spec.lease().floorTtlNanos();
  }
}
