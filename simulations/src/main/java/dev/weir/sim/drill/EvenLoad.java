package dev.weir.sim.drill;

import dev.weir.sim.trace.Arrival;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Requests of one token each, evenly spaced, to whichever region is told. Read by one thread; any
 * thread may end it.
 */
final class EvenLoad implements Iterator<Arrival> {
  private static final double SECOND_NANOS = 1e9;

  private final double perSecond;
  private final long lengthNanos;
  private final Where where;
  private long number;
  private volatile boolean ended;

  /** Which region is asked. */
  interface Where {
    /**
     * Returns the region.
     *
     * @param atNanos since the load began
     * @param number of the request, from 0
     */
    String at(long atNanos, long number);
  }

  EvenLoad(double perSecond, long lengthNanos, Where where) {
    if (!(perSecond > 0 && perSecond <= 1_000_000)) {
      throw new IllegalArgumentException("requests per second must be in (0, 1000000]");
    }
    this.perSecond = perSecond;
    this.lengthNanos = lengthNanos;
    this.where = where;
  }

  /** Nothing comes after this. */
  void end() {
    ended = true;
  }

  @Override
  public boolean hasNext() {
    return !ended && atNanos() < lengthNanos;
  }

  @Override
  public Arrival next() {
    long atNanos = atNanos();
    if (atNanos >= lengthNanos) {
      throw new NoSuchElementException("the load is over");
    }
    return new Arrival(atNanos, where.at(atNanos, number++), "drill", 1);
  }

  private long atNanos() {
    return (long) (number * SECOND_NANOS / perSecond);
  }
}
