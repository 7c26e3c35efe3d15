package dev.weir.coordinator.desk;

import dev.weir.coordinator.grid.DeskView;
import dev.weir.coordinator.grid.DeskView.QuotaView;
import dev.weir.coordinator.grid.LedgerMap;
import dev.weir.coordinator.grid.Marks;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.quota.QuotaId;
import java.io.Closeable;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes changed quotas into all their ledgers, in the background: a ledger that slept through two
 * changes would price the time between them wrongly (S11).
 */
final class Adoption implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);

  private final LedgerMap ledgers;
  private final Marks marks;
  private final ExecutorService thread = FrontDesk.thread("weir-adoption");
  private final Set<QuotaId> unmarked = ConcurrentHashMap.newKeySet();

  Adoption(LedgerMap ledgers, Marks marks) {
    this.ledgers = ledgers;
    this.marks = marks;
  }

  /** Quotas that became slow, as long as a ledger of theirs may have no durable mark. */
  Set<QuotaId> unmarked() {
    return Set.copyOf(unmarked);
  }

  void changed(DeskView before, DeskView after) {
    Set<QuotaId> changed = new HashSet<>();
    for (Map.Entry<QuotaId, QuotaView> entry : before.quotas().entrySet()) {
      QuotaView next = after.quotas().get(entry.getKey());
      LedgerTerms old = entry.getValue().terms();
      if (next == null || differs(old, next.terms())) {
        changed.add(entry.getKey());
      }
      if (next != null && next.terms().isSlow() && !old.isSlow()) {
        unmarked.add(entry.getKey());
      }
    }
    if (!changed.isEmpty()) {
      thread.execute(() -> adopt(changed));
    }
  }

  /** Waits until every change so far is in the ledgers. */
  void awaitAll() {
    CompletableFuture.runAsync(() -> {}, thread).join();
  }

  /**
   * Waits for the marks of quotas that became slow; what cannot be written is tried again later.
   */
  void confirmMarks() {
    for (QuotaId quota : unmarked()) {
      try {
        Stages.all(ledgers.buckets(quota, Integer.MAX_VALUE).stream().map(marks::durable).toList())
            .join();
        unmarked.remove(quota);
      } catch (CompletionException failed) {
        LOG.warn("not every bucket of {} has its mark on disk yet", quota);
      }
    }
  }

  private void adopt(Set<QuotaId> quotas) {
    try {
      ledgers.adopt(quotas);
    } catch (RuntimeException failed) {
      LOG.error("ledgers of {} did not take the change", quotas, failed);
    }
  }

  /** Whether what a ledger makes of time differs; who holds which floor does not matter to it. */
  private static boolean differs(LedgerTerms before, LedgerTerms after) {
    return !before.whole().equals(after.whole())
        || before.perNanos() != after.perNanos()
        || !before.floors().equals(after.floors());
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
