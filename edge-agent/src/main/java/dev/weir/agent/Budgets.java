package dev.weir.agent;

import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.SharedTerms;
import dev.weir.core.bucket.Standing;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.Share;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The buckets of a {@code budget}: one per key that has needed it, empty at a boot, on top of
 * everything else. They refill by a clock of their own, which stands still while they may not be
 * used. Any thread.
 */
final class Budgets {
  private static final int KEYS_MAX = 100_000;

  private final Fallback.Budget budget;
  private final CutOffClock clock;
  private final SharedTerms terms;
  private final ConcurrentHashMap<String, HotBucket> buckets = new ConcurrentHashMap<>();

  /** For the keys beyond {@link #KEYS_MAX}. */
  private final HotBucket shared;

  /**
   * Makes the buckets of one quota.
   *
   * @param clock runs while they may be used
   * @param nowNanos an instant; they are empty then
   */
  Budgets(Fallback.Budget budget, CutOffClock clock, long nowNanos) {
    this.budget = budget;
    this.clock = clock;
    Share share = new Share(budget.rate().micros(), budget.burstMicros());
    Footing footing = Footing.lasting(Standing.FLOOR, share, budget.rate().perNanos());
    this.terms = SharedTerms.first(footing, 0, clock.readNanos(nowNanos));
    this.shared = new HotBucket(terms);
  }

  /** Tells whether these are the buckets of that budget, usable after so long without an answer. */
  boolean isOf(Fallback.Budget other, long afterNanos) {
    return budget.equals(other) && clock.afterNanos() == afterNanos;
  }

  /** An answer was applied now, to a request sent then: they may not be used for a while. */
  void heard(long sentAtNanos, long nowNanos) {
    clock.heard(sentAtNanos, nowNanos);
  }

  /** Returns the bucket of a key. */
  HotBucket bucket(String key) {
    HotBucket known = buckets.get(key);
    if (known != null) {
      return known;
    }
    return buckets.size() >= KEYS_MAX
        ? shared
        : buckets.computeIfAbsent(key, absent -> new HotBucket(terms));
  }

  /** Returns what the clock by which they refill shows at an instant. */
  long nanos(long nowNanos) {
    return clock.readNanos(nowNanos);
  }
}
