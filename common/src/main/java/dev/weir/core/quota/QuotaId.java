package dev.weir.core.quota;

/**
 * The name of a quota: its domain and its name there.
 *
 * @param domain see {@link Names#isDomain}
 * @param name see {@link Names#isName}
 */
public record QuotaId(String domain, String name) implements Comparable<QuotaId> {
  public QuotaId {
    Names.requireDomain(domain);
    Names.requireName("quota", name);
  }

  @Override
  public int compareTo(QuotaId other) {
    int byDomain = domain.compareTo(other.domain);
    return byDomain != 0 ? byDomain : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return domain + "/" + name;
  }
}
