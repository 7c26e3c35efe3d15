package dev.weir.config;

import org.jspecify.annotations.Nullable;

/** A single value that does not say what it should. */
final class BadValue extends Exception {
  private static final long serialVersionUID = 1L;

  private final @Nullable String suggestion;

  /** The message goes on from the quoted value: {@code "10" needs a unit}. */
  BadValue(String message) {
    this(message, null);
  }

  BadValue(String message, @Nullable String suggestion) {
    super(message, null, false, false);
    this.suggestion = suggestion;
  }

  String reason() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  @Nullable String suggestion() {
    return suggestion;
  }
}
