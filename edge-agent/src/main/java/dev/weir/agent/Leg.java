package dev.weir.agent;

import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.Receipt;
import dev.weir.core.math.Nanos;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One quota's part of one request, while it is being decided. Used again for the next request. */
final class Leg {
  /** What is told where nothing better is known: a second. */
  static final long SOME_NANOS = Nanos.SECOND_NANOS;

  /** What is told where somebody has to change a file first. */
  static final long OPERATOR_NANOS = 30 * Nanos.SECOND_NANOS;

  /** A limit is near when less than this part is left. */
  private static final long NEAR_PARTS = 5;

  Receipt receipt = new Receipt();

  private @Nullable LiveQuota quota;
  private String name = "";

  /** The bucket of its key; null where none was looked up. */
  @Nullable KeyBucket bucket;

  /** What was charged; null if nothing was. */
  @Nullable HotBucket charged;

  /** Where the charged bucket is one of a budget, that budget. */
  @Nullable Budgets budgets;

  boolean allowed;
  Reason reason = Reason.OK;
  long remainingMicros;
  long waitNanos;

  /**
   * Begins with another quota.
   *
   * @param key what tells the bucket apart: see {@link QuotaKeys#bucket}
   */
  void begin(LiveQuota next, String key) {
    if (receipt.isOpen()) {
      receipt = new Receipt(); // an error left it so; its charge stays pending
    }
    quota = next;
    name = key;
    bucket = null;
    charged = null;
    budgets = null;
    remainingMicros = 0;
    waitNanos = SOME_NANOS;
  }

  LiveQuota quota() {
    return Objects.requireNonNull(quota);
  }

  String name() {
    return name;
  }

  KeyBucket bucket() {
    return Objects.requireNonNull(bucket);
  }

  /** Whether little is left of what its bucket can hold. */
  boolean isNearLimit() {
    return charged != null && remainingMicros < charged.burstMicros() / NEAR_PARTS;
  }

  Verdict verdict() {
    return new Verdict(quota().spec(), allowed, reason, remainingMicros, waitNanos);
  }

  void allow(Reason why, long remaining, long wait) {
    allowed = true;
    reason = why;
    remainingMicros = remaining;
    waitNanos = wait;
  }

  void refuse(Reason why, long remaining, long wait) {
    allowed = false;
    reason = why;
    remainingMicros = remaining;
    waitNanos = wait;
  }
}
