package dev.weir.config;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Lengths of time as people write them: a whole number and a unit, {@code 250ms}, {@code 10s},
 * {@code 1m}, {@code 1h}, {@code 1d}; also {@code us} and {@code ns}.
 */
public final class Durations {
  private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\s*([a-zA-Z]*)");
  private static final String EXAMPLES = "as in 250ms, 10s, 1m, 1h or 1d";

  /** Longest first, as they are tried in writing. */
  private enum Unit {
    D(86_400_000_000_000L),
    H(3_600_000_000_000L),
    M(60_000_000_000L),
    S(1_000_000_000L),
    MS(1_000_000L),
    US(1_000L),
    NS(1L);

    private final long nanos;
    private final String symbol;

    Unit(long nanos) {
      this.nanos = nanos;
      this.symbol = name().toLowerCase(Locale.ROOT);
    }
  }

  private Durations() {}

  /**
   * Returns a length of time in nanoseconds, 0 or more.
   *
   * @throws IllegalArgumentException if the text is none; the message quotes it and says how one is
   *     written
   */
  public static long nanos(String text) {
    try {
      return parse(text);
    } catch (BadValue bad) {
      throw new IllegalArgumentException("\"" + Quote.shortened(text) + "\" " + bad.reason(), bad);
    }
  }

  static long parse(String text) throws BadValue {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new BadValue("is not a length of time, " + EXAMPLES);
    }
    String symbol = form.group(2);
    for (Unit unit : Unit.values()) {
      if (unit.symbol.equals(symbol)) {
        return times(Long.parseLong(form.group(1)), unit.nanos);
      }
    }
    if (symbol.isEmpty()) {
      throw new BadValue("needs a unit, " + EXAMPLES);
    }
    throw new BadValue("has an unknown unit; write it " + EXAMPLES, meant(form.group(1), symbol));
  }

  /** Returns a parser that also checks a range. */
  static ValueParser<Long> between(long minNanos, long maxNanos) {
    return text -> {
      long nanos = parse(text);
      if (nanos < minNanos || nanos > maxNanos) {
        throw new BadValue("must be between " + text(minNanos) + " and " + text(maxNanos));
      }
      return nanos;
    };
  }

  /** Returns the shortest text that means exactly this. */
  static String text(long nanos) {
    for (Unit unit : Unit.values()) {
      if (nanos >= unit.nanos && nanos % unit.nanos == 0) {
        return nanos / unit.nanos + unit.symbol;
      }
    }
    return nanos + "s";
  }

  private static long times(long count, long unitNanos) throws BadValue {
    if (count > Long.MAX_VALUE / unitNanos) {
      throw new BadValue("is longer than any time here may be");
    }
    return count * unitNanos;
  }

  private static @Nullable String meant(String count, String symbol) {
    String near = Suggestion.near(symbol, List.of("ms", "sec", "min", "hour", "day"));
    return near == null ? null : count + (near.equals("ms") ? near : near.substring(0, 1));
  }
}
