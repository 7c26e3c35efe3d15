package dev.weir.sim.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** The lines of a trace that are not blank, and where they stand. */
final class Lines {
  private static final int SHOWN_MAX = 120;

  private final String name;
  private final BufferedReader reader;
  private long number;
  private String line = "";
  private boolean again;

  Lines(String name, Reader reader) {
    this.name = name;
    this.reader = new BufferedReader(reader);
  }

  String name() {
    return name;
  }

  /** The number of the line read last, from 1. */
  long number() {
    return number;
  }

  /** Returns the next line without the blanks around it, or null after the last. */
  @Nullable String next() throws IOException {
    if (again) {
      again = false;
      return line;
    }
    for (String next = reader.readLine(); next != null; next = reader.readLine()) {
      number++;
      // A mark that some editors begin a file with.
      line = (number == 1 && next.startsWith("\ufeff") ? next.substring(1) : next).strip();
      if (!line.isEmpty()) {
        return line;
      }
    }
    return null;
  }

  /** Returns what {@link #next} will return. */
  @Nullable String peek() throws IOException {
    String next = next();
    again = next != null;
    return next;
  }

  /** A problem of the line read last, which is shown. */
  TraceException problem(String problem) {
    return new TraceException(name, number, problem + ": " + shown(line));
  }

  /** A line as messages show it. */
  static String shown(String line) {
    String start = line.length() <= SHOWN_MAX ? line : line.substring(0, SHOWN_MAX) + "...";
    StringBuilder shown = new StringBuilder(start.length());
    start
        .codePoints()
        .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '\ufffd' : c));
    return shown.toString();
  }
}
