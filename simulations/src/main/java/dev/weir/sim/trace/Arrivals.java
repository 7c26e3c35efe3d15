package dev.weir.sim.trace;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * A trace laid out as single requests in the order they are due, made as they are taken. Requests
 * of one reading of the trace's clock are spread evenly at random over the time it stands for. A
 * seed gives the same arrivals every time; shifts change where some are asked, and nothing else.
 * Not safe for use by several threads.
 */
public final class Arrivals implements Iterator<Arrival> {
  /** Laid out at once they take 12 bytes each. */
  private static final int READING_MAX = 1 << 27;

  private final Trace trace;
  private final Pace pace;
  private final Shifts shifts;
  private final long seed;

  private int nextRow;
  private double owed;

  /** Of the reading laid out: its requests, each with the row it is of. */
  private int[] rowOf = new int[16];

  /** The same requests in the order of time: when, and in the lower bits which. */
  private long[] order = new long[16];

  private int size;
  private int taken;
  private long firstNumber;
  private long sinceStartNanos;
  private int numberBits;
  private int droppedBits;

  /** The arrivals of {@code trace} at {@code pace}. */
  public Arrivals(Trace trace, Pace pace, long seed) {
    this(trace, pace, List.of(), seed);
  }

  /**
   * The arrivals of {@code trace} at {@code pace}, moved by the shifts in their order.
   *
   * @throws IllegalArgumentException if a shift leaves a region that nobody asks in
   */
  public Arrivals(Trace trace, Pace pace, List<Shift> shifts, long seed) {
    this.trace = trace;
    this.pace = pace;
    this.shifts = new Shifts(trace, shifts, seed);
    this.seed = seed;
    fill();
  }

  /**
   * The regions in which requests are asked: the trace's, then those that shifts add.
   *
   * @throws IllegalArgumentException if a shift leaves a region that nobody asks in
   */
  public static List<String> regions(Trace trace, List<Shift> shifts) {
    return Shifts.regions(trace, shifts);
  }

  @Override
  public boolean hasNext() {
    return taken < size;
  }

  @Override
  public Arrival next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the trace is over");
    }
    long at = order[taken++];
    int request = (int) (at & ((1L << numberBits) - 1));
    long atNanos = pace.replayNanos(sinceStartNanos + ((at >>> numberBits) << droppedBits));
    int row = rowOf[request];
    Caller caller = trace.caller(row);
    Arrival arrival =
        new Arrival(
            atNanos,
            shifts.region(caller.region(), firstNumber + request, atNanos),
            caller.key(),
            trace.cost(row),
            caller.descriptors());
    if (taken == size) {
      fill();
    }
    return arrival;
  }

  /**
   * Lays out the next reading that yields a request; readings do not overlap, so their order is
   * that of time.
   */
  private void fill() {
    firstNumber += size;
    size = 0;
    taken = 0;
    while (size == 0 && nextRow < trace.size()) {
      long timeNanos = trace.timeNanos(nextRow);
      for (; nextRow < trace.size() && trace.timeNanos(nextRow) == timeNanos; nextRow++) {
        add(nextRow);
      }
      sinceStartNanos = timeNanos - trace.fromNanos();
    }
    sort();
  }

  private void add(int row) {
    owed += trace.count(row) * pace.scale();
    if (owed >= READING_MAX - size) {
      throw new IllegalArgumentException(
          "a reading of the clock of "
              + trace.name()
              + " makes more than "
              + READING_MAX
              + " requests; choose a smaller scale");
    }
    int requests = (int) owed;
    owed -= requests;
    if (size + requests > rowOf.length) {
      rowOf = Arrays.copyOf(rowOf, Math.max(2 * rowOf.length, size + requests));
    }
    Arrays.fill(rowOf, size, size + requests, row);
    size += requests;
  }

  /**
   * Sorts numbers, not objects: each holds when a request is due and, below, which it is. Where a
   * long has no room for both, the last bits of the time are dropped.
   */
  private void sort() {
    if (order.length < size) {
      order = new long[rowOf.length];
    }
    long intervalNanos = trace.intervalNanos();
    numberBits = bits(size);
    droppedBits = Math.max(0, bits(intervalNanos) + numberBits - (Long.SIZE - 1));
    for (int i = 0; i < size; i++) {
      long offsetNanos = (long) (Dice.unit(seed, firstNumber + i) * intervalNanos);
      order[i] = ((offsetNanos >>> droppedBits) << numberBits) | i;
    }
    Arrays.sort(order, 0, size);
  }

  private static int bits(long number) {
    return Long.SIZE - Long.numberOfLeadingZeros(number);
  }
}
