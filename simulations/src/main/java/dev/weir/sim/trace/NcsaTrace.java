package dev.weir.sim.trace;

import dev.weir.core.quota.Descriptors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads access logs. Servers note a request when it ends, with the time it began, so lines need not
 * be in order. Lines that cannot be read are left out and counted, unless they are most of the log.
 */
final class NcsaTrace {
  private static final int SHOWN_MAX = 5;

  private final Lines lines;
  private final RegionBy regionBy;
  private final TraceBuilder rows;
  private final List<String> shown = new ArrayList<>();
  private long broken;

  private NcsaTrace(Lines lines, RegionBy regionBy) {
    this.lines = lines;
    this.regionBy = regionBy;
    this.rows = new TraceBuilder(lines.name());
  }

  static Trace read(Lines lines, @Nullable RegionBy regionBy, Consumer<String> warnings)
      throws IOException, TraceException {
    if (regionBy == null) {
      throw new TraceException(
          lines.name(),
          "a log does not say in which region a request was asked; say --region-by tld, cidr:FILE,"
              + " column:NAME or hash:REGION,REGION,...");
    }
    String column = regionBy.column();
    if (column != null && !NcsaLine.NAMES.contains(column)) {
      throw new TraceException(
          lines.name(),
          "a log has no "
              + column
              + " to take the region from; it has "
              + String.join(", ", NcsaLine.NAMES));
    }
    return new NcsaTrace(lines, regionBy).rows(warnings);
  }

  private Trace rows(Consumer<String> warnings) throws IOException, TraceException {
    for (String line = lines.next(); line != null; line = lines.next()) {
      try {
        add(NcsaLine.of(line));
      } catch (BrokenLineException | IllegalArgumentException e) {
        broken++;
        if (shown.size() < SHOWN_MAX) {
          shown.add(lines.problem(String.valueOf(e.getMessage())).getMessage());
        }
      }
    }
    if (broken > rows.size()) {
      throw new TraceException(lines.name(), "most lines cannot be read: " + brokenLines());
    }
    if (rows.size() == 0) {
      throw new TraceException(lines.name(), "is empty");
    }
    if (broken > 0) {
      warnings.accept(lines.name() + ": left out " + brokenLines());
    }
    return new Trace(rows, TraceTime.SECOND_NANOS);
  }

  private String brokenLines() {
    return String.format(Locale.ROOT, "%,d of %,d lines", broken, broken + rows.size())
        + (broken > shown.size() ? "; the first are" : "")
        + "\n  "
        + String.join("\n  ", shown);
  }

  private void add(NcsaLine line) throws BrokenLineException {
    String region = regionBy.region(new Fields(line));
    if (region == null) {
      throw new BrokenLineException("its region is not known by " + regionBy);
    }
    String[] pairs = new String[2 * NcsaLine.NAMES.size()];
    int count = 0;
    for (String name : NcsaLine.NAMES) {
      String text = line.text(name);
      if (!text.isEmpty()) {
        pairs[2 * count] = name;
        pairs[2 * count + 1] = rows.shared(name.equals("path") ? shortened(text) : text);
        count++;
      }
    }
    rows.add(line.timeNanos(), region, line.client(), Descriptors.ofPairs(pairs, count), 1, 1);
  }

  /** Paths may be longer than a descriptor; three bytes is the most that a char takes in UTF-8. */
  private static String shortened(String path) {
    int most = Descriptors.VALUE_BYTES_MAX / 3;
    if (path.length() <= most) {
      return path;
    }
    return path.substring(0, Character.isHighSurrogate(path.charAt(most - 1)) ? most - 1 : most);
  }

  private record Fields(NcsaLine line) implements RowFields {
    @Override
    public String client() {
      return line.client();
    }

    @Override
    public String field(String name) {
      return line.text(name);
    }
  }
}
