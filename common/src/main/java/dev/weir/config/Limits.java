package dev.weir.config;

import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Tokens;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Limits: {@code 6000/min}, or a mapping {@code {tokens: 6000, per: 90s}}. */
final class Limits {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final Pattern FORM = Pattern.compile("([^/]+?)\\s*/\\s*([^/]*)");
  private static final Rate FASTEST = Rate.perSecond(QuotaSpec.MAX_TOKENS_PER_SECOND);
  private static final Map<String, Long> UNITS = units();

  /** What people also write for a unit. */
  private static final Map<String, String> MEANT =
      Map.of(
          "sec", "s", "second", "s", "m", "min", "minute", "min", "hr", "h", "hour", "h", "day",
          "d");

  private Limits() {}

  /** Returns the rate at a key, or null where it is absent or, noted, not good. */
  static @Nullable Rate read(Section section, String key) {
    Node node = section.node(key);
    if (node instanceof Node.Fields mapping) {
      return ofMapping(new Section(key, mapping, section.problems()));
    }
    return node == null ? null : section.parsed(key, node, Limits::parse);
  }

  static Rate parse(String text) throws BadValue {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new BadValue("is not a limit, as in 6000/min or {tokens: 6000, per: 90s}");
    }
    String unit = form.group(2);
    long micros = Amounts.tokens(form.group(1));
    Long perNanos = UNITS.get(unit);
    if (perNanos == null) {
      String meant = MEANT.getOrDefault(unit, Suggestion.near(unit, UNITS.keySet()));
      throw new BadValue(
          "has an unknown unit; it is s, min, h or d, or write {tokens: "
              + form.group(1)
              + ", per: 7d}",
          meant == null ? null : form.group(1) + "/" + meant);
    }
    return checked(new Rate(micros, perNanos));
  }

  /** Returns the unit whose length this is, or null. */
  static @Nullable String unitOf(long perNanos) {
    for (Map.Entry<String, Long> unit : UNITS.entrySet()) {
      if (unit.getValue() == perNanos) {
        return unit.getKey();
      }
    }
    return null;
  }

  private static @Nullable Rate ofMapping(Section limit) {
    limit.require("tokens");
    limit.require("per");
    Long micros = limit.value("tokens", Amounts::tokens);
    Long perNanos = limit.value("per", Durations.between(1, Rate.MAX_PER_NANOS));
    limit.close();
    if (micros == null || perNanos == null) {
      return null;
    }
    try {
      return checked(new Rate(micros, perNanos));
    } catch (BadValue bad) {
      limit
          .problems()
          .error(
              limit.place(),
              limit.title()
                  + ": "
                  + Tokens.text(micros)
                  + " per "
                  + Durations.text(perNanos)
                  + " "
                  + bad.reason());
      return null;
    }
  }

  private static Rate checked(Rate rate) throws BadValue {
    if (Rate.BY_SPEED.compare(rate, FASTEST) > 0) {
      throw new BadValue(
          "is faster than " + QuotaSpec.MAX_TOKENS_PER_SECOND + "/s, the most there can be");
    }
    return rate;
  }

  private static Map<String, Long> units() {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("s", SECOND_NANOS);
    units.put("min", 60 * SECOND_NANOS);
    units.put("h", 3600 * SECOND_NANOS);
    units.put("d", 86_400 * SECOND_NANOS);
    return units;
  }
}
