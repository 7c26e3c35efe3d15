package dev.weir.sim.trace;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a trace is written. */
public enum TraceFormat {
  /** Columns with a header that names them, one of them {@code time}. */
  CSV,
  /** The access log of a web server, in the common, combined or virtual-host form. */
  NCSA,
  /** One JSON object a line. */
  JSONL;

  private static final String WORDS = "csv, ncsa or jsonl";

  /**
   * Reads {@code csv}, {@code ncsa} or {@code jsonl}.
   *
   * @throws IllegalArgumentException if it is none of them
   */
  public static TraceFormat parse(String text) {
    for (TraceFormat format : values()) {
      if (format.name().toLowerCase(Locale.ROOT).equals(text)) {
        return format;
      }
    }
    throw new IllegalArgumentException("\"" + text + "\" is no format of traces; write " + WORDS);
  }

  /**
   * Tells the format by the end of a file's name, or else by its first line.
   *
   * @throws TraceException if neither says it
   */
  static TraceFormat of(String file, @Nullable String firstLine) throws TraceException {
    String lower = file.toLowerCase(Locale.ROOT);
    String name = lower.endsWith(".gz") ? lower.substring(0, lower.length() - 3) : lower;
    if (name.endsWith(".csv")) {
      return CSV;
    }
    if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
      return JSONL;
    }
    if (firstLine == null) {
      throw new TraceException(file, "is empty");
    }
    if (firstLine.startsWith("{")) {
      return JSONL;
    }
    if (firstLine.matches("(.*,)?\\s*time\\s*(,.*)?")) {
      return CSV;
    }
    if (NcsaLine.looksLikeOne(firstLine)) {
      return NCSA;
    }
    throw new TraceException(
        file, 1, "this is no trace that is known; say how it is written: " + WORDS);
  }
}
