package dev.weir.sim.scenario;

import dev.weir.core.quota.Descriptors;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who asks: fixed descriptors, and where there are many callers one more, whose value says which.
 *
 * @param fixed descriptors that all have
 * @param key the descriptor that tells them apart; null for a single caller
 * @param count how many there are
 * @param exponent the {@code n}-th asks {@code n^-exponent} as often as the first: 0 for all alike
 */
record Callers(Map<String, String> fixed, @Nullable String key, int count, double exponent) {
  Callers {
    fixed = Map.copyOf(fixed);
  }

  /** The descriptors of the {@code number}-th, from 0. */
  Descriptors descriptors(int number) {
    Map<String, String> all = new TreeMap<>(fixed);
    if (key != null) {
      all.put(key, name(number));
    }
    return Descriptors.of(all);
  }

  /** What tables call the {@code number}-th. */
  String name(int number) {
    return key == null
        ? fixed.isEmpty() ? "all" : String.join(",", new TreeMap<>(fixed).values())
        : key + "-" + (number + 1);
  }
}
