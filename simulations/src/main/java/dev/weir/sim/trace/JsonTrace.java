package dev.weir.sim.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.weir.core.quota.Descriptors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON lines: {@code {"ts": 1754006400.25, "region": "eu-west", "descriptors": {"tenant":
 * "acme"}, "cost": 1}}. They need not be in order.
 */
final class JsonTrace {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** Units of time, the longest first. */
  private static final long[] UNITS_NANOS = {TraceTime.SECOND_NANOS, 1_000_000, 1_000, 1};

  private final Lines lines;
  private final @Nullable RegionBy regionBy;
  private final TraceBuilder rows;
  private int unit;

  private JsonTrace(Lines lines, @Nullable RegionBy regionBy) {
    this.lines = lines;
    this.regionBy = regionBy;
    this.rows = new TraceBuilder(lines.name());
  }

  static Trace read(Lines lines, @Nullable RegionBy regionBy) throws IOException, TraceException {
    return new JsonTrace(lines, regionBy).rows();
  }

  private Trace rows() throws IOException, TraceException {
    for (String line = lines.next(); line != null; line = lines.next()) {
      try {
        add(row(line));
      } catch (JsonProcessingException e) {
        throw lines.problem("not JSON (" + e.getOriginalMessage() + ")");
      } catch (IllegalArgumentException e) {
        throw lines.problem("not a row (" + e.getMessage() + ")");
      }
    }
    if (rows.size() == 0) {
      throw new TraceException(lines.name(), "is empty");
    }
    return new Trace(rows, UNITS_NANOS[unit]);
  }

  private void add(JsonRow row) {
    // A reading stands for the coarsest unit in which all times are whole.
    while (row.timeNanos % UNITS_NANOS[unit] != 0) {
      unit++;
    }
    Descriptors descriptors = Descriptors.of(row.descriptors.toArray(new String[0]));
    JsonFields fields = new JsonFields(row, descriptors);
    String region = regionBy == null ? row.region : regionBy.region(fields);
    if (region == null) {
      throw new IllegalArgumentException(
          regionBy == null ? "region is missing" : "its region is not known by " + regionBy);
    }
    if (region.isEmpty()) {
      throw new IllegalArgumentException("the region is empty");
    }
    rows.add(row.timeNanos, region, fields.client(), descriptors, 1, row.cost);
  }

  private JsonRow row(String line) throws IOException {
    JsonRow row = new JsonRow();
    try (JsonParser json = JSON.createParser(line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("it is no object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        field(row, json);
      }
      if (json.nextToken() != null) {
        throw new IllegalArgumentException("something follows the object");
      }
    }
    if (!row.hasTime || !row.hasDescriptors) {
      throw new IllegalArgumentException((row.hasTime ? "descriptors" : "ts") + " is missing");
    }
    return row;
  }

  private void field(JsonRow row, JsonParser json) throws IOException {
    String name = json.currentName();
    JsonToken value = json.nextToken();
    switch (name) {
      case "ts" -> {
        row.timeNanos = time(json, value);
        row.hasTime = true;
      }
      case "region" -> row.region = text(name, json);
      case "client" -> row.client = text(name, json);
      case "cost" -> row.cost = cost(json, value);
      case "descriptors" -> {
        descriptors(row, json, value);
        row.hasDescriptors = true;
      }
      default -> other(row, name, json);
    }
  }

  private void other(JsonRow row, String name, JsonParser json) throws IOException {
    if (regionBy == null || !name.equals(regionBy.column())) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is none of ts, region, client, descriptors, cost");
    }
    row.other = text(name, json);
  }

  private static long time(JsonParser json, JsonToken value) throws IOException {
    if (value.isNumeric()) {
      return TraceTime.ofSeconds(json.getText());
    }
    if (value == JsonToken.VALUE_STRING) {
      return TraceTime.ofInstant(json.getText());
    }
    throw new IllegalArgumentException("ts is neither a number of seconds nor an instant");
  }

  private static long cost(JsonParser json, JsonToken value) throws IOException {
    if (value != JsonToken.VALUE_NUMBER_INT) {
      throw new IllegalArgumentException("cost is no whole number");
    }
    return json.getLongValue();
  }

  private void descriptors(JsonRow row, JsonParser json, JsonToken value) throws IOException {
    if (value != JsonToken.START_OBJECT) {
      throw new IllegalArgumentException("descriptors is no object");
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      row.descriptors.add(rows.shared(name));
      row.descriptors.add(rows.shared(text(name, json)));
    }
  }

  private static String text(String name, JsonParser json) throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      throw new IllegalArgumentException("the value of \"" + name + "\" is no string");
    }
    return json.getText();
  }

  /** What a line says, as far as it has been read. */
  private static final class JsonRow {
    long timeNanos;
    boolean hasTime;
    @Nullable String region;
    @Nullable String client;
    @Nullable String other;
    final List<String> descriptors = new ArrayList<>();
    boolean hasDescriptors;
    long cost = 1;
  }

  private static final class JsonFields implements RowFields {
    private final JsonRow row;
    private final Descriptors descriptors;

    JsonFields(JsonRow row, Descriptors descriptors) {
      this.row = row;
      this.descriptors = descriptors;
    }

    @Override
    public String client() {
      String named = row.client == null ? descriptors.value("client") : row.client;
      return named == null ? descriptors.toString() : named;
    }

    @Override
    public @Nullable String field(String name) {
      return switch (name) {
        case "region" -> row.region;
        case "client" -> client();
        default -> row.other == null ? descriptors.value(name) : row.other;
      };
    }
  }
}
