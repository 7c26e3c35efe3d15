package dev.weir.config;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** The values of an enum as words of a file: {@code TOKEN_BUCKET} is {@code token-bucket}. */
final class Words {
  private Words() {}

  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns a parser of exactly these words. */
  static <E extends Enum<E>> ValueParser<E> parser(Class<E> type) {
    Map<String, E> words = new LinkedHashMap<>();
    for (E value : type.getEnumConstants()) {
      words.put(of(value), value);
    }
    return oneOf(words);
  }

  static <T> ValueParser<T> oneOf(Map<String, T> words) {
    return oneOf(words, "");
  }

  /**
   * Returns a parser of exactly these words.
   *
   * @param other what else there may be that is no word, for the message; empty for nothing
   */
  static <T> ValueParser<T> oneOf(Map<String, T> words, String other) {
    return text -> {
      T value = words.get(text);
      if (value == null) {
        StringJoiner all = new StringJoiner(", ");
        words.keySet().forEach(all::add);
        if (!other.isEmpty()) {
          all.add(other);
        }
        throw new BadValue("is none of " + all, Suggestion.near(text, words.keySet()));
      }
      return value;
    };
  }

  /** Parses {@code true} and {@code false}. */
  static boolean truth(String text) throws BadValue {
    if (!text.equals("true") && !text.equals("false")) {
      throw new BadValue("is neither true nor false");
    }
    return text.equals("true");
  }
}
