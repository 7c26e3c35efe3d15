package dev.weir.config;

import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.Rate;
import java.util.LinkedHashMap;
import java.util.Map;

/** Fallbacks: {@code floor}, {@code deny}, {@code allow}, or {@code {budget: {limit, burst}}}. */
final class Fallbacks {
  private static final String BUDGET = "{budget: {limit: 10/s, burst: 5}}";

  private Fallbacks() {}

  /** Returns the fallback at a key, or what is the default. */
  static Fallback read(Section section, String key, boolean mayBeFloor, Fallback otherwise) {
    Node node = section.node(key);
    if (node == null) {
      return otherwise;
    }
    Fallback fallback =
        node instanceof Node.Fields mapping
            ? budget(new Section(key, mapping, section.problems()), otherwise)
            : section.parsed(key, node, Words.oneOf(words(mayBeFloor), BUDGET));
    return fallback == null ? otherwise : fallback;
  }

  private static Map<String, Fallback> words(boolean mayBeFloor) {
    Map<String, Fallback> words = new LinkedHashMap<>();
    if (mayBeFloor) {
      words.put("floor", Fallback.FLOOR);
    }
    words.put("deny", Fallback.DENY);
    words.put("allow", Fallback.ALLOW);
    return words;
  }

  private static Fallback budget(Section fallback, Fallback otherwise) {
    fallback.require("budget");
    Section budget = fallback.section("budget", "budget");
    fallback.close();
    if (budget == null) {
      return otherwise;
    }
    budget.require("limit");
    Rate rate = Limits.read(budget, "limit");
    Long burstMicros = Bursts.read(budget, rate);
    budget.close();
    return rate == null || burstMicros == null ? otherwise : new Fallback.Budget(rate, burstMicros);
  }
}
