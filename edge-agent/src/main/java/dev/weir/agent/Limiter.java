package dev.weir.agent;

import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.QuotaBook;
import java.util.concurrent.CompletionStage;

/** Decides requests. Any thread may ask, and no call waits for another machine. */
public interface Limiter {
  /**
   * Decides at once.
   *
   * @param domain a domain that is not known has no quotas, so that everything passes
   * @param cost in tokens, 0 or more; 0 looks and takes nothing
   * @throws IllegalArgumentException if the cost is negative
   * @throws IllegalStateException if there is no configuration yet ({@link #hasQuotas})
   */
  Decision decide(String domain, Descriptors descriptors, long cost);

  /**
   * Decides, and where that would refuse only because a bucket has no lease yet and its region no
   * floor, waits for the first lease, up to the quota's {@code firstLeaseWait}. Nothing is taken
   * while it waits. The stage may be complete already; otherwise it completes on a thread that must
   * not be blocked.
   *
   * @throws IllegalArgumentException if the cost is negative
   * @throws IllegalStateException if there is no configuration yet
   */
  CompletionStage<Decision> decideLater(String domain, Descriptors descriptors, long cost);

  /** Tells whether any configuration was ever received. */
  boolean hasQuotas();

  /** Returns the quotas in force. */
  QuotaBook quotas();
}
