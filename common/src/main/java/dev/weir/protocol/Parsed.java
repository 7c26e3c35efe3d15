package dev.weir.protocol;

/**
 * What bytes turned out to be.
 *
 * @param <T> the message looked for
 */
public sealed interface Parsed<T> {
  /**
   * A message.
   *
   * @param <T> its type
   */
  record Message<T>(T value) implements Parsed<T> {}

  /**
   * Bytes that are no message.
   *
   * @param <T> the message looked for
   * @param why what is wrong, fit to be shown to whoever sent them
   */
  record Malformed<T>(String why) implements Parsed<T> {}
}
