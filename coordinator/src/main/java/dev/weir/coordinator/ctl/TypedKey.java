package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.core.quota.BucketKey;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.QuotaId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A bucket's key as it is typed: the values of its quota's free keys. */
final class TypedKey {
  private final Map<String, String> pairs = new TreeMap<>();

  private TypedKey(Descriptors typed) {
    for (int i = 0; i < typed.size(); i++) {
      pairs.put(typed.key(i), typed.value(i));
    }
  }

  /** Reads a key, as tables show it or as descriptors are typed. */
  static TypedKey parse(String text) throws CtlException {
    try {
      return new TypedKey(BucketKey.decode(text));
    } catch (IllegalArgumentException byHand) {
      return new TypedKey(DescriptorText.parse(text));
    }
  }

  /**
   * Returns the key as the coordinator writes it. Descriptors that all requests of the quota have
   * may be among what was typed.
   *
   * @param quota as quota files have it
   */
  String of(QuotaId id, JsonNode quota) throws CtlException {
    Map<String, String> values = new TreeMap<>(pairs);
    List<String> free = new ArrayList<>();
    for (JsonNode condition : quota.path("match")) {
      String name = Json.string(condition, "key");
      if (condition.has("value")) {
        values.remove(name, Json.string(condition, "value"));
      } else {
        free.add(name);
      }
    }
    if (values.size() != free.size() || !values.keySet().containsAll(free)) {
      throw CtlException.wrongUsage(
          free.isEmpty()
              ? id + " has one bucket only: leave KEY out"
              : "KEY is " + String.join("=VALUE,", free) + "=VALUE for the buckets of " + id);
    }
    return BucketKey.encode(Descriptors.of(values));
  }
}
