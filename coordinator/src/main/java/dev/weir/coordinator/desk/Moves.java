package dev.weir.coordinator.desk;

import dev.weir.coordinator.events.Event;
import dev.weir.coordinator.events.EventLog;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Tokens;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Notes when a large part of a bucket changes hands, at most once a second per quota. */
final class Moves {
  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final int LARGE_PARTS = 5;

  private final Map<QuotaId, Long> notedAtNanos = new ConcurrentHashMap<>();
  private final EventLog events;

  Moves(EventLog events) {
    this.events = events;
  }

  void look(String region, QuotaSpec quota, BucketReport report, BucketOffer offer, long nowNanos) {
    long per = quota.rate().perNanos();
    long had = new Rate(report.held().rateMicros(), report.perNanos()).toPer(per, false).micros();
    long has = new Rate(offer.share().rateMicros(), offer.perNanos()).toPer(per, false).micros();
    if (Math.abs(has - had) < Math.max(1, quota.rate().micros() / LARGE_PARTS)
        || !isDue(quota.id(), nowNanos)) {
      return;
    }
    events.note(
        Event.Kind.LEASE_MOVED,
        region
            + " of "
            + offer.bucket()
            + ": "
            + perSecond(had, per)
            + " -> "
            + perSecond(has, per)
            + " tokens/s",
        Map.of(
            "region",
            region,
            "quota",
            quota.id().toString(),
            "key",
            offer.bucket().key(),
            "before",
            perSecond(had, per),
            "after",
            perSecond(has, per)));
  }

  private boolean isDue(QuotaId quota, long nowNanos) {
    Long noted = notedAtNanos.get(quota);
    if (noted != null && nowNanos - noted < PERIOD_NANOS) {
      return false;
    }
    notedAtNanos.put(quota, nowNanos);
    return true;
  }

  private static String perSecond(long micros, long perNanos) {
    return Tokens.text(new Rate(micros, perNanos).toPer(PERIOD_NANOS, false).micros());
  }
}
