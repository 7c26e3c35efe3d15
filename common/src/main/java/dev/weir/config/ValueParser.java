package dev.weir.config;

/** What a single value means. */
@FunctionalInterface
public interface ValueParser<T> {
  /**
   * Returns what a text means.
   *
   * @throws BadValue if it means nothing here
   */
  T parse(String text) throws BadValue;
}
