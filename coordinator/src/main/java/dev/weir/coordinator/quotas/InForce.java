package dev.weir.coordinator.quotas;

import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import java.util.Map;
import java.util.Set;

/** Where quotas are put in force. Called by one thread; every method may wait. */
public interface InForce {
  /**
   * What must be known of leases and pools after a crash (S9, S11).
   *
   * @param ttlsNanos of every quota the longest time to live a lease still alive can have
   * @param freshMicros of slow quotas the pool of a bucket without a mark: where it is not full,
   *     and of all where data was lost
   * @param ranSinceLossNanos how long coordinators have run since data was lost, or 0
   */
  record Known(
      Map<QuotaId, Long> ttlsNanos, Map<QuotaId, Long> freshMicros, long ranSinceLossNanos) {
    public Known {
      ttlsNanos = Map.copyOf(ttlsNanos);
      freshMicros = Map.copyOf(freshMicros);
    }
  }

  /** What must be stored before a book is in force: true before and after the change. */
  Known knownBefore(QuotaBook next);

  /**
   * Puts the book of the run before in force, before any other.
   *
   * @param freshMicros as it was known then
   */
  void adoptStored(QuotaBook book, Map<QuotaId, Long> freshMicros);

  /** Puts a book in force: answers follow it from now on. */
  void adopt(QuotaBook book);

  /** Takes the book in force into the ledgers; their marks are durable on return. */
  void adoptInLedgers();

  /** What must be known as long as nothing changes. */
  Known known();

  /** Drains these regions and no others. */
  void drain(Set<String> regions);
}
