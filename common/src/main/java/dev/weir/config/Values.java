package dev.weir.config;

import dev.weir.core.quota.Rate;

/** What single values mean, for files that are read as quota files are. */
public final class Values {
  private Values() {}

  /** Lengths of time in nanoseconds: {@code 250ms}, {@code 10s}, {@code 1h}. */
  public static ValueParser<Long> nanos(long minNanos, long maxNanos) {
    return Durations.between(minNanos, maxNanos);
  }

  /** Percentages as parts per million: {@code 99.5%}. */
  public static ValueParser<Integer> ppm() {
    return Amounts.percent(1_000_000);
  }

  /** Whole numbers. */
  public static ValueParser<Integer> whole(int min, int max) {
    return Amounts.whole(min, max);
  }

  /** Numbers with at most six decimals, in millionths. */
  public static ValueParser<Long> millionths() {
    return Amounts::tokens;
  }

  /** {@code true} and {@code false}. */
  public static ValueParser<Boolean> truth() {
    return Words::truth;
  }

  /** The names of an enum's values as words: {@code TOKEN_BUCKET} is {@code token-bucket}. */
  public static <E extends Enum<E>> ValueParser<E> word(Class<E> type) {
    return Words.parser(type);
  }

  /** Limits: {@code 500/s}. */
  public static ValueParser<Rate> rate() {
    return Limits::parse;
  }

  /** Any text. */
  public static ValueParser<String> text() {
    return text -> text;
  }
}
