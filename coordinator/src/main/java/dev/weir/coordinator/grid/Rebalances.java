package dev.weir.coordinator.grid;

import dev.weir.core.lease.HolderId;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures how long it takes until a holder that is short has its part, where others have more than
 * theirs: from the answer that cannot give it to the one that can. Any thread.
 */
public final class Rebalances {
  private static final long GIVEN_UP_NANOS = 60_000_000_000L;
  private static final int KEPT_MAX = 10_000;

  private final Map<Waiting, Long> sinceNanos = new ConcurrentHashMap<>();
  private volatile Done done = (quota, nanos) -> {};

  /** Told of each rebalance when it is over. */
  public interface Done {
    /** So long it took. */
    void took(QuotaId quota, long nanos);
  }

  private record Waiting(BucketId bucket, HolderId who) {}

  /** Says who is to be told. */
  public void tell(Done listener) {
    done = listener;
  }

  /**
   * Looks at an answer.
   *
   * @param waits whether others are to give back what this one is short of
   */
  void look(BucketId bucket, HolderId who, boolean waits, long nowNanos) {
    if (!waits && sinceNanos.isEmpty()) {
      return;
    }
    Waiting waiting = new Waiting(bucket, who);
    if (!waits) {
      Long since = sinceNanos.remove(waiting);
      if (since != null) {
        done.took(bucket.quota(), nowNanos - since);
      }
      return;
    }
    if (sinceNanos.size() >= KEPT_MAX) {
      sinceNanos.values().removeIf(since -> nowNanos - since > GIVEN_UP_NANOS);
    }
    if (sinceNanos.size() < KEPT_MAX) {
      sinceNanos.putIfAbsent(waiting, nowNanos);
    }
  }
}
