package dev.weir.config;

/** What a single value means. */
@FunctionalInterface
interface ValueParser<T> {
  T parse(String text) throws BadValue;
}
