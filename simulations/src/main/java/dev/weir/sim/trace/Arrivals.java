package dev.weir.sim.trace;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;

/**
 * A trace laid out as single requests in the order they are due, made as they are taken. Requests
 * of one reading of the trace's clock are spread evenly at random over the time it stands for; a
 * seed gives the same arrivals every time.
 */
public final class Arrivals implements Iterator<Arrival> {
  private final Trace trace;
  private final Pace pace;
  private final Random random;
  private final long intervalNanos;

  private int nextRow;
  private double owed;
  private List<Arrival> ready = List.of();
  private int taken;

  /** The arrivals of {@code trace} at {@code pace}. */
  public Arrivals(Trace trace, Pace pace, long seed) {
    this.trace = trace;
    this.pace = pace;
    this.random = new Random(seed);
    this.intervalNanos = trace.intervalNanos();
    fill();
  }

  @Override
  public boolean hasNext() {
    return taken < ready.size();
  }

  @Override
  public Arrival next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the trace is over");
    }
    Arrival arrival = ready.get(taken++);
    if (taken == ready.size()) {
      fill();
    }
    return arrival;
  }

  /**
   * Lays out the next reading that yields a request; readings do not overlap, so their order is
   * that of time.
   */
  private void fill() {
    List<Arrival> reading = new ArrayList<>();
    List<TraceRow> rows = trace.rows();
    while (reading.isEmpty() && nextRow < rows.size()) {
      long timeNanos = rows.get(nextRow).timeNanos();
      for (; nextRow < rows.size() && rows.get(nextRow).timeNanos() == timeNanos; nextRow++) {
        add(reading, rows.get(nextRow));
      }
    }
    reading.sort(Comparator.comparingLong(Arrival::atNanos));
    ready = reading;
    taken = 0;
  }

  private void add(List<Arrival> reading, TraceRow row) {
    owed += row.count() * pace.scale();
    long sinceStartNanos = row.timeNanos() - trace.fromNanos();
    for (; owed >= 1; owed--) {
      long atNanos = sinceStartNanos + (long) (random.nextDouble() * intervalNanos);
      reading.add(new Arrival(pace.replayNanos(atNanos), row.region(), row.key(), row.cost()));
    }
  }
}
