package dev.weir.sim.trace;

import dev.weir.core.math.Saturating;
import java.util.AbstractList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.Set;

/**
 * A recorded load: at least one row, in the order of time. Held in 12 bytes a row (20 where counts
 * or costs are not 1) and once what its callers have to say, so that the log of a busy day fits in
 * memory. Immutable.
 */
public final class Trace {
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long MINUTE_NANOS = 60 * SECOND_NANOS;

  private final String name;
  private final RowStore rows;
  private final List<Caller> callers;
  private final long intervalNanos;
  private final List<String> regions;
  private final long requests;
  private final long busiestMinuteTokens;

  /**
   * A trace of these rows; its readings are as far apart as its nearest rows.
   *
   * @param name where it came from
   * @throws IllegalArgumentException if there are none, or not in the order of time
   */
  public Trace(String name, List<TraceRow> rows) {
    this(collected(name, rows));
  }

  /** The rows collected; its readings are as far apart as its nearest rows. */
  Trace(TraceBuilder collected) {
    this(collected, smallestStepNanos(collected.rows()));
  }

  /**
   * The rows collected.
   *
   * @param intervalNanos the time one reading stands for; no two readings are nearer
   */
  Trace(TraceBuilder collected, long intervalNanos) {
    if (collected.size() == 0) {
      throw new IllegalArgumentException("a trace must have at least one row: " + collected.name());
    }
    this.name = collected.name();
    this.rows = collected.rows();
    this.callers = List.copyOf(collected.callers());
    this.intervalNanos = intervalNanos;
    this.regions = regions(rows, callers);
    this.requests = requests(rows);
    this.busiestMinuteTokens = busiestMinuteTokens(rows);
  }

  /** Where it came from. */
  public String name() {
    return name;
  }

  /** The rows, made as they are taken. */
  public List<TraceRow> rows() {
    return new Rows();
  }

  /** The regions that ask, in the order of their first request. */
  public List<String> regions() {
    return regions;
  }

  /** How many requests there are. */
  public long requests() {
    return requests;
  }

  /** The first reading of its clock, in nanoseconds since the epoch. */
  public long fromNanos() {
    return rows.timeNanos(0);
  }

  /** From the first reading to the end of the interval that the last one stands for. */
  public long lengthNanos() {
    return rows.timeNanos(rows.size() - 1) - fromNanos() + intervalNanos;
  }

  /**
   * The time one reading stands for: what its format says, or else the smallest step of the trace's
   * clock, a second where there is only one reading.
   */
  public long intervalNanos() {
    return intervalNanos;
  }

  /** The tokens asked for in the minute (by the trace's own clock) that asks for most. */
  public long busiestMinuteTokens() {
    return busiestMinuteTokens;
  }

  int size() {
    return rows.size();
  }

  long timeNanos(int row) {
    return rows.timeNanos(row);
  }

  int count(int row) {
    return rows.count(row);
  }

  int cost(int row) {
    return rows.cost(row);
  }

  Caller caller(int row) {
    return callers.get(rows.caller(row));
  }

  private static TraceBuilder collected(String name, List<TraceRow> rows) {
    TraceBuilder builder = new TraceBuilder(name);
    for (TraceRow row : rows) {
      builder.add(row);
    }
    if (!builder.isSorted()) {
      throw new IllegalArgumentException("rows must be sorted by time: " + name);
    }
    return builder;
  }

  private static List<String> regions(RowStore rows, List<Caller> callers) {
    Set<String> regions = new LinkedHashSet<>();
    for (int row = 0; row < rows.size(); row++) {
      regions.add(callers.get(rows.caller(row)).region());
    }
    return List.copyOf(regions);
  }

  private static long requests(RowStore rows) {
    long requests = 0;
    for (int row = 0; row < rows.size(); row++) {
      requests += rows.count(row);
    }
    return requests;
  }

  private static long smallestStepNanos(RowStore rows) {
    long smallest = Long.MAX_VALUE;
    for (int row = 1; row < rows.size(); row++) {
      long step = rows.timeNanos(row) - rows.timeNanos(row - 1);
      if (step > 0 && step < smallest) {
        smallest = step;
      }
    }
    return smallest == Long.MAX_VALUE ? SECOND_NANOS : smallest;
  }

  private static long busiestMinuteTokens(RowStore rows) {
    long busiest = 0;
    long tokens = 0;
    long minute = Long.MIN_VALUE;
    for (int row = 0; row < rows.size(); row++) {
      long of = Math.floorDiv(rows.timeNanos(row), MINUTE_NANOS);
      if (of != minute) {
        minute = of;
        tokens = 0;
      }
      tokens = Saturating.plus(tokens, (long) rows.count(row) * rows.cost(row));
      busiest = Math.max(busiest, tokens);
    }
    return busiest;
  }

  private final class Rows extends AbstractList<TraceRow> implements RandomAccess {
    @Override
    public TraceRow get(int row) {
      Caller caller = caller(Objects.checkIndex(row, rows.size()));
      return new TraceRow(
          timeNanos(row),
          caller.region(),
          caller.key(),
          count(row),
          cost(row),
          caller.descriptors());
    }

    @Override
    public int size() {
      return rows.size();
    }
  }
}
