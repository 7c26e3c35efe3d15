package dev.weir.sim.replay;

import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.BucketMatch;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaBook;
import java.util.List;

/**
 * What a request is about, matched once: all requests of one caller share theirs.
 *
 * @param name who it is, as tables show it
 * @param buckets what it counts against, narrowest first: the buckets of enforced, leased quotas;
 *     empty for a request that nothing limits
 */
public record Subject(String name, List<BucketId> buckets) {
  /** Keeps its own copy of the buckets. */
  public Subject {
    buckets = List.copyOf(buckets);
  }

  /** Finds the buckets of some descriptors. */
  public static Subject of(QuotaBook book, String domain, String name, Descriptors descriptors) {
    return new Subject(
        name,
        book.match(domain, descriptors).stream()
            .filter(match -> match.quota().mode() == Mode.ENFORCE && match.quota().isLeased())
            .map(BucketMatch::bucket)
            .toList());
  }
}
