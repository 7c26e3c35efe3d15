package dev.weir.coordinator.desk;

import dev.weir.coordinator.quotas.InForce.Known;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What of a desk must survive a crash, beside floors and marks. */
final class DeskMemory {
  private DeskMemory() {}

  /**
   * What is known while nothing changes.
   *
   * @param unmarked slow quotas of whose ledgers some may have no mark: their buckets count as
   *     empty
   */
  static Known of(Desk desk, Set<QuotaId> unmarked, long nowNanos) {
    Map<QuotaId, Long> fresh = new HashMap<>();
    for (QuotaSpec quota : leased(desk.book())) {
      QuotaId id = quota.id();
      LedgerTerms terms = desk.terms(id);
      if (terms != null && terms.isSlow()) {
        Bucket untouched = desk.untouched(id, nowNanos);
        if (unmarked.contains(id)) {
          fresh.put(id, 0L);
        } else if (desk.hasLostData() || untouched.levelMicros() < untouched.burstMicros()) {
          // Where data was lost, what is not stored counts as empty.
          fresh.put(id, untouched.levelMicros());
        }
      }
    }
    return new Known(desk.longestTtls(nowNanos), fresh, desk.ranSinceLossNanos(nowNanos));
  }

  /**
   * What must be stored before {@code next} is in force, and is true with either book (S9, S11).
   */
  static Known before(Desk desk, QuotaBook next, Set<QuotaId> unmarked, long nowNanos) {
    Map<QuotaId, Long> ttls = new HashMap<>(desk.longestTtls(nowNanos));
    Map<QuotaId, Long> fresh = new HashMap<>(of(desk, unmarked, nowNanos).freshMicros());
    for (QuotaSpec quota : leased(next)) {
      QuotaId id = quota.id();
      ttls.merge(id, quota.lease().ttlNanos(), Math::max);
      LedgerTerms terms = desk.terms(id);
      if (terms != null && LedgerTerms.isSlow(quota.whole(), quota.rate().perNanos())) {
        // What grows starts empty by what it grew; what becomes slow has no marks yet.
        fresh.putIfAbsent(id, terms.isSlow() ? desk.untouched(id, nowNanos).levelMicros() : 0L);
      } else if (terms == null && desk.hasLostData() && desk.book().generation() > 0) {
        // Of a quota made since the loss nothing was granted.
        fresh.put(id, quota.burstMicros());
      }
    }
    return new Known(ttls, fresh, desk.ranSinceLossNanos(nowNanos));
  }

  private static List<QuotaSpec> leased(QuotaBook book) {
    return book.domains().values().stream()
        .flatMap(domain -> domain.quotas().stream())
        .filter(QuotaSpec::isLeased)
        .toList();
  }
}
