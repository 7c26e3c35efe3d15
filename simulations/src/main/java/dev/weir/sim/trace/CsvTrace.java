package dev.weir.sim.trace;

import dev.weir.core.quota.Descriptors;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads CSV, sorted by time. */
final class CsvTrace {
  private final Lines lines;
  private final @Nullable RegionBy regionBy;
  private final TraceBuilder rows;
  private final CsvHeader header;
  private final int time;
  private final int region;
  private final int key;
  private final int count;
  private final int cost;

  private CsvTrace(Lines lines, @Nullable RegionBy regionBy, CsvHeader header) {
    this.lines = lines;
    this.regionBy = regionBy;
    this.rows = new TraceBuilder(lines.name());
    this.header = header;
    this.time = header.index("time");
    this.region = header.index("region");
    this.key = header.index("key");
    this.count = header.index("count");
    this.cost = header.index("cost");
  }

  static Trace read(Lines lines, @Nullable RegionBy regionBy) throws IOException, TraceException {
    String first = lines.next();
    if (first == null) {
      throw new TraceException(lines.name(), "is empty; expected the header " + CsvHeader.FORM);
    }
    CsvHeader header;
    try {
      header = new CsvHeader(CsvFields.of(first), regionBy);
    } catch (IllegalArgumentException e) {
      throw lines.problem(String.valueOf(e.getMessage()));
    }
    return new CsvTrace(lines, regionBy, header).rows();
  }

  private Trace rows() throws IOException, TraceException {
    for (String line = lines.next(); line != null; line = lines.next()) {
      try {
        add(CsvFields.of(line));
      } catch (IllegalArgumentException e) {
        throw lines.problem("not a row (" + e.getMessage() + ")");
      }
      if (!rows.isSorted()) {
        throw lines.problem("rows must be sorted by time");
      }
    }
    if (rows.size() == 0) {
      throw new TraceException(lines.name(), "has a header and no rows");
    }
    return new Trace(rows);
  }

  private void add(List<String> fields) {
    if (fields.size() != header.size()) {
      throw new IllegalArgumentException(
          "expected " + header.size() + " fields and found " + fields.size());
    }
    rows.add(
        TraceTime.nanos(fields.get(time)),
        region(fields),
        fields.get(key),
        descriptors(fields),
        amount("count", fields.get(count)),
        cost < 0 ? 1 : amount("cost", fields.get(cost)));
  }

  private String region(List<String> fields) {
    if (regionBy == null) {
      String name = fields.get(region);
      if (name.isEmpty()) {
        throw new IllegalArgumentException("the region is empty");
      }
      return name;
    }
    String found = regionBy.region(new Fields(fields));
    if (found == null) {
      throw new IllegalArgumentException("its region is not known by " + regionBy);
    }
    return found;
  }

  private Descriptors descriptors(List<String> fields) {
    List<String> names = header.descriptors();
    String[] pairs = new String[2 * names.size()];
    for (int i = 0; i < names.size(); i++) {
      pairs[2 * i] = names.get(i);
      pairs[2 * i + 1] = rows.shared(fields.get(header.descriptorColumns().get(i)));
    }
    return Descriptors.of(pairs);
  }

  private static long amount(String name, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is no whole number: \"" + text + "\"", e);
    }
  }

  /** One row, by the names of its columns. */
  private final class Fields implements RowFields {
    private final List<String> fields;

    Fields(List<String> fields) {
      this.fields = fields;
    }

    @Override
    public String client() {
      return fields.get(key);
    }

    @Override
    public @Nullable String field(String name) {
      int column = header.index(name);
      return column < 0 ? null : fields.get(column);
    }
  }
}
