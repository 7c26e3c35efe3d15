package dev.weir.sim.live;

import dev.weir.core.bucket.Bucket;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.BucketMatch;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Tokens;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one place that sees everything would have decided: one bucket per key, full at first, for
 * all regions. Not safe for use by several threads: its arrivals have an order.
 */
public final class Oracle {
  private final QuotaBook book;
  private final Question question;
  private final Map<BucketId, Bucket> buckets = new HashMap<>();

  /** An oracle of these quotas. */
  public Oracle(QuotaBook book, Question question) {
    this.book = book;
    this.question = question;
  }

  /**
   * Decides the next arrival: admitted by all quotas that match, or by none (S12).
   *
   * @param nowNanos not before the last one's
   */
  public boolean admits(String key, long cost, long nowNanos) {
    Descriptors descriptors = Descriptors.of(question.descriptors(key));
    long costMicros = Tokens.micros(cost);
    List<BucketMatch> matches =
        book.match(question.domain(), descriptors).stream()
            .filter(match -> match.quota().mode() == Mode.ENFORCE)
            .toList();
    for (BucketMatch match : matches) {
      if (costMicros > match.quota().maxCostMicros()
          || bucket(match, nowNanos).levelMicros() < costMicros) {
        return false;
      }
    }
    for (BucketMatch match : matches) {
      buckets.put(match.bucket(), bucket(match, nowNanos).take(costMicros, nowNanos).after());
    }
    return true;
  }

  private Bucket bucket(BucketMatch match, long nowNanos) {
    QuotaSpec quota = match.quota();
    Bucket bucket = buckets.get(match.bucket());
    return bucket == null
        ? Bucket.full(quota.rate(), quota.burstMicros(), nowNanos)
        : bucket.refill(nowNanos);
  }
}
