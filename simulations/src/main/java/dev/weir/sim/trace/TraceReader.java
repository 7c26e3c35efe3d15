package dev.weir.sim.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads traces: CSV with the header {@code time,region,key,count[,cost]}, sorted by time. {@code
 * time} is in epoch seconds, with a fraction if need be, or an ISO-8601 instant such as {@code
 * 1995-08-01T04:00:00Z}. Fields are plain: a quote has no meaning.
 */
public final class TraceReader {
  /** The trace that ships with Weir. */
  public static final String SHIPPED = "nasa-1995-08-01.csv";

  private static final List<String> COLUMNS = List.of("time", "region", "key", "count");
  private static final List<String> COLUMNS_WITH_COST =
      List.of("time", "region", "key", "count", "cost");

  private TraceReader() {}

  /**
   * The trace that ships with Weir: a day at NASA's web server, from Europe and Asia to America.
   */
  public static Trace shipped() {
    try (InputStream in = TraceReader.class.getResourceAsStream("/traces/" + SHIPPED)) {
      if (in == null) {
        throw new IllegalStateException("the build left out traces/" + SHIPPED);
      }
      return read(SHIPPED, new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException | TraceException e) {
      throw new IllegalStateException("the shipped trace cannot be read", e);
    }
  }

  /** Reads a file. */
  public static Trace read(Path file) throws IOException, TraceException {
    try (Reader reader = Files.newBufferedReader(file)) {
      return read(file.toString(), reader);
    }
  }

  static Trace read(String name, Reader reader) throws IOException, TraceException {
    BufferedReader lines = new BufferedReader(reader);
    String header = lines.readLine();
    if (header == null) {
      throw new TraceException(name, "is empty; expected the header time,region,key,count[,cost]");
    }
    boolean costs = hasCosts(name, header);
    List<TraceRow> rows = new ArrayList<>();
    long number = 1;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (line.isBlank()) {
        continue;
      }
      TraceRow row = row(name, number, line, costs);
      if (!rows.isEmpty() && row.timeNanos() < rows.get(rows.size() - 1).timeNanos()) {
        throw new TraceException(name, number, "rows must be sorted by time: " + line);
      }
      rows.add(row);
    }
    if (rows.isEmpty()) {
      throw new TraceException(name, "has a header and no rows");
    }
    return new Trace(name, rows);
  }

  private static boolean hasCosts(String name, String header) throws TraceException {
    List<String> columns = Arrays.asList(header.strip().split(",", -1));
    boolean costs = columns.equals(COLUMNS_WITH_COST);
    if (!costs && !columns.equals(COLUMNS)) {
      throw new TraceException(
          name, 1, "the header must be time,region,key,count[,cost]: " + header);
    }
    return costs;
  }

  private static TraceRow row(String name, long number, String line, boolean costs)
      throws TraceException {
    String[] fields = line.strip().split(",", -1);
    int wanted = (costs ? COLUMNS_WITH_COST : COLUMNS).size();
    if (fields.length != wanted) {
      throw new TraceException(
          name, number, "expected " + wanted + " fields and found " + fields.length + ": " + line);
    }
    if (fields[1].isEmpty()) {
      throw new TraceException(name, number, "the region is empty: " + line);
    }
    try {
      long count = Long.parseLong(fields[3]);
      long cost = costs ? Long.parseLong(fields[4]) : 1;
      return new TraceRow(timeNanos(fields[0]), fields[1], fields[2], count, cost);
    } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
      throw new TraceException(name, number, "not a row (" + e.getMessage() + "): " + line);
    }
  }

  private static long timeNanos(String text) {
    if (text.indexOf('T') >= 0) {
      Instant instant = Instant.parse(text);
      return Math.addExact(
          Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }
    return new BigDecimal(text).movePointRight(9).longValueExact();
  }
}
