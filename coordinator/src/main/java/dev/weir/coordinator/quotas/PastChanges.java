package dev.weir.coordinator.quotas;

import dev.weir.coordinator.state.StoredQuotas.PastChange;
import dev.weir.core.bound.BoundTerm;
import dev.weir.core.bound.ChangeTerms;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.math.MulDiv;
import dev.weir.core.math.Nanos;
import dev.weir.core.math.Saturating;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What changes of quotas may add to their bounds for a while (S11). */
final class PastChanges {
  private static final int KEPT_PER_QUOTA = 8;

  private PastChanges() {}

  /**
   * The changes whose excess may not have ended, the one from {@code before} to {@code after} too.
   */
  static List<PastChange> after(
      List<PastChange> known,
      Map<String, DomainBook> before,
      Map<String, DomainBook> after,
      LeaseTiming timing,
      long nowMillis) {
    List<PastChange> changes = new ArrayList<>();
    known.stream().filter(change -> change.untilMillis() > nowMillis).forEach(changes::add);
    for (DomainBook domain : before.values()) {
      for (QuotaSpec quota : domain.quotas()) {
        if (quota.isLeased()) {
          BoundTerm term = term(quota, find(after.get(domain.domain()), quota), domain.regions());
          if (term != null && !term.isNothing()) {
            long lastsMillis =
                MulDiv.ceilDiv(timing.oldTermsLastNanos(quota.lease()), Nanos.MILLISECOND_NANOS);
            add(changes, new PastChange(quota.id(), term, nowMillis + lastsMillis));
          }
        }
      }
    }
    return changes;
  }

  /** Of a quota that changes all the time, the oldest changes are kept as one. */
  private static void add(List<PastChange> changes, PastChange next) {
    List<PastChange> alike =
        changes.stream()
            .filter(change -> change.quota().equals(next.quota()))
            .filter(change -> change.term().cause().equals(next.term().cause()))
            .toList();
    if (alike.size() >= KEPT_PER_QUOTA) {
      PastChange first = alike.get(0);
      PastChange second = alike.get(1);
      changes.remove(first);
      changes.set(changes.indexOf(second), merged(first, second));
    }
    changes.add(next);
  }

  private static PastChange merged(PastChange first, PastChange second) {
    BoundTerm one = first.term();
    BoundTerm other = second.term();
    return new PastChange(
        first.quota(),
        new BoundTerm(
            one.cause(),
            Saturating.plus(one.onceMicros(), other.onceMicros()),
            one.rate(),
            true,
            "Once, for several changes together."),
        Math.max(first.untilMillis(), second.untilMillis()));
  }

  private static @Nullable BoundTerm term(
      QuotaSpec before, @Nullable QuotaSpec after, List<Region> regions) {
    if (before.equals(after)) {
      return null;
    }
    if (after == null
        || !after.match().equals(before.match())
        || after.enforcement() != before.enforcement()) {
      return ChangeTerms.replaced(before, regions);
    }
    return ChangeTerms.lowered(before, after, regions);
  }

  private static @Nullable QuotaSpec find(@Nullable DomainBook domain, QuotaSpec quota) {
    return domain == null
        ? null
        : domain.quotas().stream()
            .filter(other -> other.id().equals(quota.id()))
            .findFirst()
            .orElse(null);
  }
}
