package dev.weir.core.quota;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One quota, prepared for matching and for the text of its buckets' keys. */
final class CompiledQuota {
  private final QuotaSpec spec;
  private final @Nullable Match foundBy;
  private final Match[] rest;

  /** The free keys, ascending, and each as it begins its pair in a bucket's key. */
  private final String[] freeKeys;

  private final String[] prefixes;

  CompiledQuota(QuotaSpec spec) {
    this.spec = spec;
    List<Match> byKey = spec.match().stream().sorted(Comparator.comparing(Match::key)).toList();
    foundBy =
        byKey.stream()
            .filter(match -> !match.isFree())
            .findFirst()
            .orElse(byKey.isEmpty() ? null : byKey.get(0));
    rest = byKey.stream().filter(match -> !match.equals(foundBy)).toArray(Match[]::new);
    freeKeys = byKey.stream().filter(Match::isFree).map(Match::key).toArray(String[]::new);
    prefixes = new String[freeKeys.length];
    for (int i = 0; i < freeKeys.length; i++) {
      prefixes[i] = (i == 0 ? "" : ",") + BucketKey.prefix(freeKeys[i]);
    }
  }

  QuotaSpec spec() {
    return spec;
  }

  /** The condition by which the matcher finds it; null if it has none. */
  @Nullable Match foundBy() {
    return foundBy;
  }

  boolean restMatches(DescriptorLookup descriptors) {
    for (Match condition : rest) {
      String value = descriptors.value(condition.key());
      if (value == null || !(condition.isFree() || value.equals(condition.value()))) {
        return false;
      }
    }
    return true;
  }

  @Nullable String soleValue(DescriptorLookup descriptors) {
    return freeKeys.length == 1 ? descriptors.value(freeKeys[0]) : null;
  }

  String key(DescriptorLookup descriptors) {
    if (freeKeys.length == 0) {
      return "";
    }
    if (freeKeys.length == 1) {
      return prefixes[0].concat(BucketKey.escape(value(descriptors, 0)));
    }
    StringBuilder text = new StringBuilder(64);
    for (int i = 0; i < freeKeys.length; i++) {
      BucketKey.append(text.append(prefixes[i]), value(descriptors, i));
    }
    return text.toString();
  }

  private String value(DescriptorLookup descriptors, int i) {
    String value = descriptors.value(freeKeys[i]);
    if (value == null) {
      throw new IllegalArgumentException(spec.id() + " does not match: no " + freeKeys[i]);
    }
    return value;
  }
}
