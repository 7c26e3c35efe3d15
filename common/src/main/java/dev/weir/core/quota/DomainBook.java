package dev.weir.core.quota;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * All quotas of one domain and the regions that share them, each in the order of its names whatever
 * order they came in.
 *
 * @param domain see {@link Names#isDomain}
 * @param regions no name twice
 * @param quotas of this domain only, no name twice
 */
public record DomainBook(String domain, List<Region> regions, List<QuotaSpec> quotas) {
  public DomainBook {
    Names.requireDomain(domain);
    regions = sorted(regions, Region::name, "region");
    quotas = sorted(quotas, quota -> quota.id().name(), "quota");
    for (QuotaSpec quota : quotas) {
      if (!quota.id().domain().equals(domain)) {
        throw new IllegalArgumentException(quota.id() + " is not of domain " + domain);
      }
    }
  }

  private static <T> List<T> sorted(List<T> items, Function<T, String> name, String what) {
    List<T> sorted = items.stream().sorted(Comparator.comparing(name)).toList();
    for (int i = 1; i < sorted.size(); i++) {
      if (name.apply(sorted.get(i)).equals(name.apply(sorted.get(i - 1)))) {
        throw new IllegalArgumentException(what + " named twice: " + name.apply(sorted.get(i)));
      }
    }
    return sorted;
  }
}
