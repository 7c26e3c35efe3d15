package dev.weir.sim.trace;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the region of a request is found where a trace does not say it, or says something else.
 * Immutable.
 *
 * <p>The <i>client</i> of a row is the key in CSV, the client's name or address in a log, and in
 * JSON lines the field {@code client}, or else the descriptor of that name, or else all
 * descriptors.
 */
public abstract class RegionBy {
  private static final String FORMS = "write tld, cidr:FILE, column:NAME or hash:REGION,REGION,...";

  RegionBy() {}

  /**
   * Reads {@code tld[:PLACE=REGION,...]}, {@code cidr:FILE}, {@code column:NAME} or {@code
   * hash:REGION[=WEIGHT],...}, and the file.
   *
   * @throws IllegalArgumentException if it is none, or the file is not good; the message says how
   *     one is written, or file and line
   */
  public static RegionBy parse(String text) {
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    String rest = colon < 0 ? "" : text.substring(colon + 1);
    return switch (kind) {
      case "tld" -> RegionByTld.of(rest);
      case "cidr" -> RegionByCidr.read(given(text, rest));
      case "column" -> new Column(given(text, rest));
      case "hash" -> RegionByHash.of(given(text, rest));
      default ->
          throw new IllegalArgumentException(
              "\"" + kind + "\" is no way to find a region; " + FORMS);
    };
  }

  private static String given(String text, String rest) {
    if (rest.isBlank()) {
      throw new IllegalArgumentException("\"" + text + "\" does not say the region; " + FORMS);
    }
    return rest;
  }

  /** Returns the region, or null where this row does not tell. */
  abstract @Nullable String region(RowFields row);

  /** The column or field that rows must have, or null. */
  @Nullable String column() {
    return null;
  }

  /** A column or field names the region. */
  private static final class Column extends RegionBy {
    private final String name;

    Column(String name) {
      this.name = name;
    }

    @Override
    @Nullable String region(RowFields row) {
      String region = row.field(name);
      return Objects.equals(region, "") ? null : region;
    }

    @Override
    String column() {
      return name;
    }

    @Override
    public String toString() {
      return "column:" + name;
    }
  }
}
