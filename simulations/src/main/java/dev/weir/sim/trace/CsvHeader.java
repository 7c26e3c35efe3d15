package dev.weir.sim.trace;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which column of a CSV trace is which: {@code time}, {@code key} and {@code count}; {@code
 * region}, unless it is found otherwise; {@code cost}, and {@code d.NAME} for descriptors, where
 * there are any.
 */
final class CsvHeader {
  static final String FORM = "time,region,key,count[,cost]";

  private static final String DESCRIPTOR = "d.";
  private static final List<String> KNOWN = List.of("time", "region", "key", "count", "cost");

  private final List<String> columns;
  private final List<String> descriptors = new ArrayList<>();
  private final List<Integer> descriptorColumns = new ArrayList<>();

  /**
   * A header.
   *
   * @throws IllegalArgumentException if a column is missing, unknown or there twice
   */
  CsvHeader(List<String> columns, @Nullable RegionBy regionBy) {
    this.columns = columns;
    String regionColumn = regionBy == null ? null : regionBy.column();
    require("time");
    require("key");
    require("count");
    if (regionBy == null) {
      require("region");
    } else if (regionColumn != null && index(regionColumn) < 0) {
      throw new IllegalArgumentException(
          "there is no column " + regionColumn + " to take the region from");
    }
    for (int i = 0; i < columns.size(); i++) {
      check(i, regionColumn);
    }
  }

  /** How many columns there are. */
  int size() {
    return columns.size();
  }

  /** The place of a column, named with or without {@code d.}, or -1. */
  int index(String name) {
    int plain = columns.indexOf(name);
    return plain >= 0 ? plain : columns.indexOf(DESCRIPTOR + name);
  }

  /** The names of the descriptors. */
  List<String> descriptors() {
    return descriptors;
  }

  /** The places of the descriptors' columns, in the same order. */
  List<Integer> descriptorColumns() {
    return descriptorColumns;
  }

  private void require(String name) {
    if (!columns.contains(name)) {
      throw new IllegalArgumentException(
          "the header must be " + FORM + ", and there is no " + name);
    }
  }

  private void check(int place, @Nullable String regionColumn) {
    String name = columns.get(place);
    if (columns.indexOf(name) != place) {
      throw new IllegalArgumentException("the column " + name + " is there twice");
    }
    if (name.startsWith(DESCRIPTOR)) {
      descriptors.add(name.substring(DESCRIPTOR.length()));
      descriptorColumns.add(place);
    } else if (!KNOWN.contains(name) && !name.equals(regionColumn)) {
      throw new IllegalArgumentException(
          "the header must be " + FORM + ", and d.NAME for a descriptor; \"" + name + "\" is none");
    }
  }
}
