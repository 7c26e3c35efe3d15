package dev.weir.config;

import org.jspecify.annotations.Nullable;

/** A single value that does not say what it should. */
public final class BadValue extends Exception {
  private static final long serialVersionUID = 1L;

  private final @Nullable String suggestion;

  /** The message goes on from the quoted value: {@code "10" needs a unit}. */
  public BadValue(String message) {
    this(message, null);
  }

  /** The same, with what was probably meant. */
  public BadValue(String message, @Nullable String suggestion) {
    super(message, null, false, false);
    this.suggestion = suggestion;
  }

  /** What is wrong with it, to go on from the quoted value. */
  public String reason() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  /** What was probably meant, where something is near. */
  public @Nullable String suggestion() {
    return suggestion;
  }
}
