package dev.weir.coordinator.quotas;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What differs between two states of the quotas, in the order of the names.
 *
 * @param added quotas that are new
 * @param changed quotas that are different
 * @param removed quotas that are gone
 * @param regions {@code domain/region} of those that came, went or have another weight
 */
public record Difference(
    List<QuotaId> added, List<QuotaId> changed, List<QuotaId> removed, List<String> regions) {
  /** Nothing differs. */
  public static final Difference NONE = new Difference(List.of(), List.of(), List.of(), List.of());

  public Difference {
    added = List.copyOf(added);
    changed = List.copyOf(changed);
    removed = List.copyOf(removed);
    regions = List.copyOf(regions);
  }

  /** What changes from one state to the other. */
  static Difference between(Map<String, DomainBook> before, Map<String, DomainBook> after) {
    Map<QuotaId, QuotaSpec> old = quotas(before);
    Map<QuotaId, QuotaSpec> now = quotas(after);
    List<QuotaId> added = new ArrayList<>();
    List<QuotaId> changed = new ArrayList<>();
    now.forEach(
        (id, quota) -> {
          QuotaSpec was = old.remove(id);
          if (was == null) {
            added.add(id);
          } else if (!was.equals(quota)) {
            changed.add(id);
          }
        });
    return new Difference(added, changed, List.copyOf(old.keySet()), regions(before, after));
  }

  /** Whether nothing differs. */
  public boolean isNothing() {
    return added.isEmpty() && changed.isEmpty() && removed.isEmpty() && regions.isEmpty();
  }

  private static Map<QuotaId, QuotaSpec> quotas(Map<String, DomainBook> domains) {
    Map<QuotaId, QuotaSpec> quotas = new TreeMap<>();
    domains
        .values()
        .forEach(domain -> domain.quotas().forEach(quota -> quotas.put(quota.id(), quota)));
    return quotas;
  }

  private static List<String> regions(
      Map<String, DomainBook> before, Map<String, DomainBook> after) {
    Set<String> domains = new TreeSet<>(before.keySet());
    domains.addAll(after.keySet());
    List<String> differ = new ArrayList<>();
    for (String domain : domains) {
      Map<String, Integer> old = weights(before.get(domain));
      Map<String, Integer> now = weights(after.get(domain));
      Set<String> names = new TreeSet<>(old.keySet());
      names.addAll(now.keySet());
      for (String name : names) {
        if (!String.valueOf(old.get(name)).equals(String.valueOf(now.get(name)))) {
          differ.add(domain + "/" + name);
        }
      }
    }
    return differ;
  }

  private static Map<String, Integer> weights(@Nullable DomainBook domain) {
    Map<String, Integer> weights = new TreeMap<>();
    if (domain != null) {
      for (Region region : domain.regions()) {
        weights.put(region.name(), region.weight());
      }
    }
    return weights;
  }
}
