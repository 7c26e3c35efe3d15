package dev.weir.core.quota;

import dev.weir.core.math.Check;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Every quota in force, of one generation; immutable, and compiled for matching when it is made.
 */
public final class QuotaBook {
  /** Nothing yet: generation 0. */
  public static final QuotaBook EMPTY = new QuotaBook(0, Map.of());

  private final long generation;
  private final Map<String, DomainBook> domains;
  private final Map<String, Matcher> matchers;

  /**
   * Makes a book.
   *
   * @param generation counts changes, not negative
   * @param domains by their own names
   */
  public QuotaBook(long generation, Map<String, DomainBook> domains) {
    this.generation = Check.inRange("generation", generation, 0, Long.MAX_VALUE);
    this.domains = Collections.unmodifiableMap(new TreeMap<>(domains));
    this.matchers = new HashMap<>();
    for (Map.Entry<String, DomainBook> entry : this.domains.entrySet()) {
      if (!entry.getKey().equals(entry.getValue().domain())) {
        throw new IllegalArgumentException(
            "domain " + entry.getValue().domain() + " stands under " + entry.getKey());
      }
      matchers.put(entry.getKey(), Matcher.of(entry.getValue()));
    }
  }

  /** Returns the number of this state of the quotas; a change has a larger one. */
  public long generation() {
    return generation;
  }

  /** Returns the domains by name, ascending. */
  public Map<String, DomainBook> domains() {
    return domains;
  }

  /** Returns a quota, or null if there is none of that name. */
  public @Nullable QuotaSpec quota(QuotaId id) {
    DomainBook domain = domains.get(id.domain());
    if (domain != null) {
      for (QuotaSpec quota : domain.quotas()) {
        if (quota.id().equals(id)) {
          return quota;
        }
      }
    }
    return null;
  }

  /** Returns what finds the quotas of a domain, or null for a domain that is not known. */
  public @Nullable Matcher matcher(String domain) {
    return matchers.get(domain);
  }

  /** Returns every quota that the request counts against, narrowest first; empty for none. */
  public List<BucketMatch> match(String domain, DescriptorLookup descriptors) {
    Matcher matcher = matchers.get(domain);
    return matcher == null ? List.of() : matcher.match(descriptors);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QuotaBook that
        && generation == that.generation
        && domains.equals(that.domains);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(generation) * 31 + domains.hashCode();
  }

  @Override
  public String toString() {
    return "QuotaBook[generation=" + generation + ", domains=" + domains + "]";
  }
}
