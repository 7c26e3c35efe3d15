package dev.weir.coordinator.quotas;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What files and the API say, put together. */
final class Assembly {
  private Assembly() {}

  /** The domains of both. Where they disagree, {@link #conflict} says so. */
  static Map<String, DomainBook> of(Map<String, DomainBook> files, Map<String, DomainBook> api) {
    Map<String, DomainBook> all = new TreeMap<>(files);
    api.forEach((domain, book) -> all.merge(domain, book, Assembly::joined));
    return all;
  }

  /**
   * What keeps both from being in force together, fit to be shown; null for nothing.
   *
   * @param place where in files a quota stands
   */
  static @Nullable String conflict(
      Map<String, DomainBook> files, Map<String, DomainBook> api, Function<QuotaId, String> place) {
    for (Map.Entry<String, DomainBook> entry : api.entrySet()) {
      DomainBook inFiles = files.get(entry.getKey());
      if (inFiles != null) {
        String conflict = conflict(inFiles, entry.getValue(), place);
        if (conflict != null) {
          return conflict;
        }
      }
    }
    return null;
  }

  private static @Nullable String conflict(
      DomainBook files, DomainBook api, Function<QuotaId, String> place) {
    Set<QuotaId> twice = new TreeSet<>(ids(files));
    twice.retainAll(ids(api));
    if (!twice.isEmpty()) {
      return "a quota stands either in files or in the API's store; in both: "
          + String.join(", ", twice.stream().map(id -> id + " (" + place.apply(id) + ")").toList());
    }
    for (Region region : api.regions()) {
      for (Region inFiles : files.regions()) {
        if (region.name().equals(inFiles.name()) && region.weight() != inFiles.weight()) {
          return "region "
              + region.name()
              + " of domain "
              + files.domain()
              + " has weight "
              + inFiles.weight()
              + " in files and "
              + region.weight()
              + " in the API's store";
        }
      }
    }
    return null;
  }

  private static DomainBook joined(DomainBook files, DomainBook api) {
    Set<Region> regions = new TreeSet<>(Comparator.comparing(Region::name));
    regions.addAll(files.regions());
    regions.addAll(api.regions());
    List<QuotaSpec> quotas = new ArrayList<>(files.quotas());
    quotas.addAll(api.quotas());
    return new DomainBook(files.domain(), List.copyOf(regions), quotas);
  }

  private static List<QuotaId> ids(DomainBook domain) {
    return domain.quotas().stream().map(QuotaSpec::id).toList();
  }
}
