package dev.weir.coordinator.grid;

import com.hazelcast.map.IMap;
import dev.weir.coordinator.grid.Steps.Kind;
import dev.weir.coordinator.grid.Steps.Step;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.Ledger;
import dev.weir.core.message.BucketReport;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledgers, one per contended bucket. Steps run on the owner's partition thread, one at a time
 * per ledger; nothing here waits, except where said.
 */
public final class LedgerMap {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerMap.class);

  /** So many steps of one sweep are under way at a time. */
  private static final int WINDOW = 256;

  private final IMap<BucketId, Ledger> map;

  LedgerMap(IMap<BucketId, Ledger> map) {
    this.map = map;
  }

  /** Takes what an agent declares about a bucket, and says what to answer. */
  public CompletionStage<LedgerReply> report(BucketReport report, HolderId who, long seq) {
    return reply(report.bucket(), new Step(Kind.REPORT, report, who, seq));
  }

  /** Takes what an agent declares for the last time: it leaves. */
  public CompletionStage<LedgerReply> lastWord(BucketReport report, HolderId who, long seq) {
    return reply(report.bucket(), new Step(Kind.LAST_WORD, report, who, seq));
  }

  /** Takes what an agent declares for the last time: it must stop. */
  public CompletionStage<LedgerReply> fencedWord(BucketReport report, HolderId who, long seq) {
    return reply(report.bucket(), new Step(Kind.FENCED_WORD, report, who, seq));
  }

  /** Says what to tell a holder that has more than its part of a bucket it did not name. */
  public CompletionStage<LedgerReply> recall(BucketId bucket, HolderId who, long seq) {
    return reply(bucket, new Step(Kind.RECALL, null, who, seq));
  }

  /** Returns a ledger as its owner sees it; null when nobody has asked about the bucket lately. */
  public CompletionStage<@Nullable LedgerSeen> peek(BucketId bucket) {
    return map.<Object>submitToKey(bucket, processor(Kind.PEEK))
        .thenApply(seen -> (LedgerSeen) seen);
  }

  /** How many ledgers there are on this member. */
  public int size() {
    return map.localKeySet().size();
  }

  /** Up to so many buckets of a quota that have a ledger on this member. May wait. */
  public List<BucketId> buckets(QuotaId quota, int most) {
    List<BucketId> buckets = new ArrayList<>();
    for (BucketId bucket : map.localKeySet()) {
      if (bucket.quota().equals(quota)) {
        buckets.add(bucket);
        if (buckets.size() == most) {
          break;
        }
      }
    }
    return buckets;
  }

  /** Opens the ledgers of buckets that have marks. Waits until all is done. */
  public void open(Collection<BucketId> buckets) {
    forEach(buckets, Kind.OPEN);
  }

  /**
   * Takes the quotas of now into all their ledgers on this member, and drops the ledgers of quotas
   * that are gone. Waits until all is done.
   */
  public void adopt(Set<QuotaId> quotas) {
    forEach(
        map.localKeySet().stream().filter(bucket -> quotas.contains(bucket.quota())).toList(),
        Kind.ADOPT);
  }

  /** Forgets every ledger on this member whose forgetting changes nothing. Waits. */
  public void sweep() {
    forEach(map.localKeySet(), Kind.SWEEP);
  }

  /** Looks at every ledger on this member. Waits. */
  public Map<BucketId, LedgerSeen> seen(Collection<BucketId> buckets) {
    Map<BucketId, CompletableFuture<@Nullable LedgerSeen>> asked = new HashMap<>();
    for (BucketId bucket : buckets) {
      asked.put(bucket, peek(bucket).toCompletableFuture());
    }
    Map<BucketId, LedgerSeen> seen = new HashMap<>();
    asked.forEach(
        (bucket, answer) -> {
          LedgerSeen ledger = answer.join();
          if (ledger != null) {
            seen.put(bucket, ledger);
          }
        });
    return seen;
  }

  private CompletionStage<LedgerReply> reply(BucketId bucket, Step step) {
    return map.<Object>submitToKey(bucket, new Steps.Processor(step))
        .thenApplyAsync(reply -> (LedgerReply) reply, Runnable::run);
  }

  private void forEach(Collection<BucketId> buckets, Kind kind) {
    Semaphore window = new Semaphore(WINDOW);
    for (BucketId bucket : buckets) {
      window.acquireUninterruptibly();
      map.<Object>submitToKey(bucket, processor(kind))
          .whenCompleteAsync(
              (done, failure) -> {
                window.release();
                if (failure != null) {
                  LOG.error("{} of {} failed", kind, bucket, failure);
                }
              },
              Runnable::run);
    }
    window.acquireUninterruptibly(WINDOW);
  }

  private static Steps.Processor processor(Kind kind) {
    return new Steps.Processor(new Step(kind, null, null, 0));
  }
}
