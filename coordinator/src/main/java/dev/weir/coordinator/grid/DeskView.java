package dev.weir.coordinator.grid;

import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.Authority;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What ledgers need of the desk, as of an instant: immutable, so that partition threads may read it
 * while the desk goes on.
 *
 * @param quotas every leased quota
 */
public record DeskView(Map<QuotaId, QuotaView> quotas) {
  /** No quotas yet. */
  public static final DeskView EMPTY = new DeskView(Map.of());

  public DeskView {
    quotas = Map.copyOf(quotas);
  }

  /**
   * One quota.
   *
   * @param terms what its ledgers must know of it
   * @param authority under which they are opened
   * @param untouched the pool of a bucket nobody has asked about
   */
  public record QuotaView(LedgerTerms terms, Authority authority, Bucket untouched) {}

  /** What the desk says now. */
  public static DeskView of(Desk desk, long nowNanos) {
    Map<QuotaId, QuotaView> quotas = new HashMap<>();
    for (DomainBook domain : desk.book().domains().values()) {
      for (QuotaSpec quota : domain.quotas()) {
        QuotaId id = quota.id();
        LedgerTerms terms = desk.terms(id);
        if (terms != null) {
          quotas.put(id, new QuotaView(terms, desk.authority(id), desk.untouched(id, nowNanos)));
        }
      }
    }
    return new DeskView(quotas);
  }

  @Nullable QuotaView quota(QuotaId quota) {
    return quotas.get(quota);
  }
}
