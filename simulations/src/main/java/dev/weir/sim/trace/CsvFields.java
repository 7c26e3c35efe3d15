package dev.weir.sim.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * The fields of a line of CSV (RFC 4180, but a field ends with its line): what begins with a quote
 * ends with one, and holds two for each that is meant.
 */
final class CsvFields {
  private CsvFields() {}

  /**
   * Returns the fields, without the blanks around those that are not quoted.
   *
   * @throws IllegalArgumentException if a quote is not closed, or something follows it
   */
  static List<String> of(String line) {
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (true) {
      int end = line.startsWith("\"", at) ? quotedEnd(line, at) : plainEnd(line, at);
      String field = line.substring(at, end);
      fields.add(
          field.startsWith("\"")
              ? field.substring(1, field.length() - 1).replace("\"\"", "\"")
              : field.strip());
      if (end == line.length()) {
        return fields;
      }
      at = end + 1;
    }
  }

  private static int plainEnd(String line, int from) {
    int comma = line.indexOf(',', from);
    return comma < 0 ? line.length() : comma;
  }

  private static int quotedEnd(String line, int from) {
    int at = from + 1;
    while (true) {
      int quote = line.indexOf('"', at);
      if (quote < 0) {
        throw new IllegalArgumentException("a quote is not closed");
      }
      int end = quote + 1;
      if (!line.startsWith("\"", end)) {
        if (end < line.length() && line.charAt(end) != ',') {
          throw new IllegalArgumentException("after a closing quote a comma must follow");
        }
        return end;
      }
      at = end + 1;
    }
  }
}
