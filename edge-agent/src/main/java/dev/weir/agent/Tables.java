package dev.weir.agent;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Matcher;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Everything decisions look up, for one configuration. Immutable but for the buckets in it. */
final class Tables {
  private final QuotaBook book;
  private final Map<String, Domain> domains = new HashMap<>();

  /**
   * One domain.
   *
   * @param quotas by the slots of the matcher
   * @param hasRegion whether the agent's region is one of those that share them
   */
  record Domain(Matcher matcher, List<LiveQuota> quotas, boolean hasRegion) {}

  Tables(QuotaBook book, String region, Function<QuotaSpec, LiveQuota> live) {
    this.book = book;
    for (DomainBook domain : book.domains().values()) {
      Matcher matcher = book.matcher(domain.domain());
      if (matcher != null) {
        List<LiveQuota> quotas = new ArrayList<>();
        for (int slot = 0; slot < matcher.size(); slot++) {
          quotas.add(live.apply(matcher.quota(slot)));
        }
        boolean hasRegion =
            domain.regions().stream().anyMatch(known -> known.name().equals(region));
        domains.put(domain.domain(), new Domain(matcher, List.copyOf(quotas), hasRegion));
      }
    }
  }

  QuotaBook book() {
    return book;
  }

  @Nullable Domain domain(String name) {
    return domains.get(name);
  }
}
