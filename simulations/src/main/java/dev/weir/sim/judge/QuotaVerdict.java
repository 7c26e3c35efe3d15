package dev.weir.sim.judge;

import dev.weir.core.bound.Overshoot;
import dev.weir.core.quota.QuotaSpec;

/**
 * How one quota came out of a run.
 *
 * @param decisions how many admissions were judged
 * @param admittedMicros their cost
 * @param buckets how many of its buckets anything was admitted from
 * @param tightest the bucket whose tightest window stands worst to the bound; its key is empty
 *     where there is only one
 * @param worst that window
 */
public record QuotaVerdict(
    QuotaSpec quota,
    long decisions,
    long admittedMicros,
    int buckets,
    String tightest,
    Overshoot worst) {

  /** Whether the bound held in every window of every bucket. */
  public boolean held() {
    return worst.held();
  }
}
