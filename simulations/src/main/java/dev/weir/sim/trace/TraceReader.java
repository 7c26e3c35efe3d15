package dev.weir.sim.trace;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads traces, as CSV, web servers' logs or JSON lines (the README of this module says how each is
 * written), packed with gzip or not. Read line by line; what is kept is a {@link Trace}.
 */
public final class TraceReader {
  /** The trace that a demo plays: a day at NASA's web server, from Europe and Asia to America. */
  public static final String SHIPPED = "nasa-1995-08-01.csv";

  /** The traces that ship with Weir. */
  public static final List<String> ALL_SHIPPED = List.of(SHIPPED, "worldcup-1998-06-30-minute.csv");

  private static final int GZIP_FIRST = 0x1f;
  private static final int GZIP_SECOND = 0x8b;
  private static final int BUFFER_BYTES = 1 << 16;

  private TraceReader() {}

  /** The trace {@link #SHIPPED}. */
  public static Trace shipped() {
    return shipped(SHIPPED);
  }

  /**
   * A trace that ships with Weir.
   *
   * @throws IllegalArgumentException if none of this name does
   */
  public static Trace shipped(String name) {
    if (!ALL_SHIPPED.contains(name)) {
      throw new IllegalArgumentException(
          "no trace " + name + " ships with Weir, but " + String.join(", ", ALL_SHIPPED));
    }
    try (InputStream in = TraceReader.class.getResourceAsStream("/traces/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the build left out traces/" + name);
      }
      return read(name, in, null, null, warning -> {});
    } catch (IOException | TraceException e) {
      throw new IllegalStateException("the shipped trace cannot be read", e);
    }
  }

  /** Reads a file that says its regions, in the format that it seems to have. */
  public static Trace read(Path file) throws IOException, TraceException {
    return read(file, null, null, warning -> {});
  }

  /**
   * Reads a file.
   *
   * @param format null for what the end of its name, or else its first line, says
   * @param regionBy how regions are found; null for a file that says them. Where it is given, what
   *     the file says has no meaning
   * @param warnings told what was left out, if anything, a few lines of it with their numbers
   * @throws TraceException if it cannot be read: with file, line and what is wrong there
   */
  public static Trace read(
      Path file,
      @Nullable TraceFormat format,
      @Nullable RegionBy regionBy,
      Consumer<String> warnings)
      throws IOException, TraceException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(file.toString(), in, format, regionBy, warnings);
    }
  }

  static Trace read(
      String name,
      InputStream in,
      @Nullable TraceFormat format,
      @Nullable RegionBy regionBy,
      Consumer<String> warnings)
      throws IOException, TraceException {
    try {
      Reader reader = new InputStreamReader(unpacked(in), StandardCharsets.UTF_8);
      Lines lines = new Lines(name, reader);
      TraceFormat known = format == null ? TraceFormat.of(name, lines.peek()) : format;
      return switch (known) {
        case CSV -> CsvTrace.read(lines, regionBy);
        case NCSA -> NcsaTrace.read(lines, regionBy, warnings);
        case JSONL -> JsonTrace.read(lines, regionBy);
      };
    } catch (ZipException | EOFException e) {
      throw new TraceException(name, "is packed with gzip, and damaged (" + e.getMessage() + ")");
    }
  }

  private static InputStream unpacked(InputStream in) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(in, BUFFER_BYTES);
    buffered.mark(2);
    boolean gzip = buffered.read() == GZIP_FIRST && buffered.read() == GZIP_SECOND;
    buffered.reset();
    return gzip ? new GZIPInputStream(buffered, BUFFER_BYTES) : buffered;
  }
}
