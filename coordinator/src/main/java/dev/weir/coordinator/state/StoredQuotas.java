package dev.weir.coordinator.state;

import dev.weir.core.bound.BoundTerm;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaId;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The quotas as they are kept: one file, so that one rename puts a change in force.
 *
 * @param generation the newest generation
 * @param files what the quota files said when they were last good, by domain
 * @param api what came through the API, by domain
 * @param changedAt the generation in which each quota changed last
 * @param ttlsNanos of every quota the longest time to live a lease still alive can have (S9)
 * @param freshMicros of slow quotas the pool of a bucket without a mark: where it is not full
 *     (S11), and of all where data was lost (S9)
 * @param ranSinceLossNanos how long coordinators have run on these data since others were lost, at
 *     least; else 0 (S9)
 * @param drained the regions that are being drained
 * @param changes what changes may add to the bound for a while (S11)
 */
public record StoredQuotas(
    long generation,
    Map<String, DomainBook> files,
    Map<String, DomainBook> api,
    Map<QuotaId, Long> changedAt,
    Map<QuotaId, Long> ttlsNanos,
    Map<QuotaId, Long> freshMicros,
    long ranSinceLossNanos,
    Set<String> drained,
    List<PastChange> changes) {
  /** None yet. */
  public static final StoredQuotas NONE =
      new StoredQuotas(0, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), 0, Set.of(), List.of());

  public StoredQuotas {
    files = Map.copyOf(files);
    api = Map.copyOf(api);
    changedAt = Map.copyOf(changedAt);
    ttlsNanos = Map.copyOf(ttlsNanos);
    freshMicros = Map.copyOf(freshMicros);
    drained = Set.copyOf(drained);
    changes = List.copyOf(changes);
  }

  /**
   * A change whose excess may not have ended.
   *
   * @param term what it may add to the quota's bound
   * @param untilMillis when it has ended, by the wall clock
   */
  public record PastChange(QuotaId quota, BoundTerm term, long untilMillis) {}

  /** These quotas, with what is known of their leases and pools now. */
  public StoredQuotas with(
      Map<QuotaId, Long> newTtlsNanos,
      Map<QuotaId, Long> newFreshMicros,
      long newRanSinceLossNanos) {
    return new StoredQuotas(
        generation,
        files,
        api,
        changedAt,
        newTtlsNanos,
        newFreshMicros,
        newRanSinceLossNanos,
        drained,
        changes);
  }

  /** These quotas, with other regions drained. */
  public StoredQuotas withDrained(Set<String> regions) {
    return new StoredQuotas(
        generation,
        files,
        api,
        changedAt,
        ttlsNanos,
        freshMicros,
        ranSinceLossNanos,
        regions,
        changes);
  }
}
