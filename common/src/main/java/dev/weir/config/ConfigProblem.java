package dev.weir.config;

import org.jspecify.annotations.Nullable;

/**
 * One thing wrong with a file, or worth a warning.
 *
 * @param file what was read; empty where nothing was
 * @param line from 1; 0 where there is no line
 * @param column from 1; 0 where there is no line
 * @param message what is wrong, with the offending text
 * @param suggestion what was probably meant, where something is near
 */
public record ConfigProblem(
    String file, int line, int column, String message, @Nullable String suggestion) {
  static ConfigProblem at(Place place, String message, @Nullable String suggestion) {
    return new ConfigProblem(place.file(), place.line(), place.column(), message, suggestion);
  }

  /** Returns one line, as compilers write it: {@code file:line:column: message}. */
  @Override
  public String toString() {
    String place = new Place(file, line, column).toString();
    return (place.isEmpty() ? "" : place + ": ")
        + message
        + (suggestion == null ? "" : " (did you mean \"" + suggestion + "\"?)");
  }
}
