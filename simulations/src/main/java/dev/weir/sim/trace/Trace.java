package dev.weir.sim.trace;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A recorded load.
 *
 * @param name where it came from
 * @param rows in the order of time, at least one
 */
public record Trace(String name, List<TraceRow> rows) {
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long MINUTE_NANOS = 60 * SECOND_NANOS;

  /** Keeps its own copy of the rows. */
  public Trace {
    rows = List.copyOf(rows);
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("a trace must have at least one row: " + name);
    }
  }

  /** The regions that ask, in the order of their first request. */
  public List<String> regions() {
    Set<String> regions = new LinkedHashSet<>();
    for (TraceRow row : rows) {
      regions.add(row.region());
    }
    return new ArrayList<>(regions);
  }

  /** The first reading of its clock, in nanoseconds since the epoch. */
  public long fromNanos() {
    return rows.get(0).timeNanos();
  }

  /** From the first reading to the end of the interval that the last one stands for. */
  public long lengthNanos() {
    return rows.get(rows.size() - 1).timeNanos() - fromNanos() + intervalNanos();
  }

  /**
   * The time one reading stands for: the smallest step of the trace's clock, a second where there
   * is only one reading.
   */
  public long intervalNanos() {
    long smallest = Long.MAX_VALUE;
    for (int i = 1; i < rows.size(); i++) {
      long step = rows.get(i).timeNanos() - rows.get(i - 1).timeNanos();
      if (step > 0 && step < smallest) {
        smallest = step;
      }
    }
    return smallest == Long.MAX_VALUE ? SECOND_NANOS : smallest;
  }

  /** The tokens asked for in the minute (by the trace's own clock) that asks for most. */
  public long busiestMinuteTokens() {
    long busiest = 0;
    long tokens = 0;
    long minute = Math.floorDiv(fromNanos(), MINUTE_NANOS);
    for (TraceRow row : rows) {
      long of = Math.floorDiv(row.timeNanos(), MINUTE_NANOS);
      if (of != minute) {
        minute = of;
        tokens = 0;
      }
      tokens += row.count() * row.cost();
      busiest = Math.max(busiest, tokens);
    }
    return busiest;
  }
}
