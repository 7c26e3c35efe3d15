package dev.weir.sim.fleet;

import java.util.PriorityQueue;

/**
 * True time, and what is to happen when; what happens at one instant happens in the order asked.
 */
public final class VirtualTime {
  private final PriorityQueue<Happening> agenda = new PriorityQueue<>();
  private long nowNanos;
  private long asked;

  private record Happening(long atNanos, long order, Runnable what)
      implements Comparable<Happening> {
    @Override
    public int compareTo(Happening other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** True time since the fleet began. */
  public long nowNanos() {
    return nowNanos;
  }

  /** Lets something happen so much later; at once, after what is asked for already, where not. */
  public void after(long nanos, Runnable what) {
    agenda.add(new Happening(nowNanos + Math.max(0, nanos), asked++, what));
  }

  /** When the next thing happens; {@code Long.MAX_VALUE} if nothing does. */
  public long nextNanos() {
    Happening next = agenda.peek();
    return next == null ? Long.MAX_VALUE : next.atNanos();
  }

  /** Lets the next thing happen. */
  public void step() {
    Happening next = agenda.remove();
    nowNanos = next.atNanos();
    next.what().run();
  }

  /** Lets time pass in which nothing happens. */
  public void passUntil(long untilNanos) {
    if (untilNanos < nowNanos || untilNanos > nextNanos()) {
      throw new IllegalArgumentException(
          "time passes from " + nowNanos + " to " + nextNanos() + ", not to " + untilNanos);
    }
    nowNanos = untilNanos;
  }

  /** Lets all happen until an instant, and calls {@code each} after every happening. */
  void runUntil(long untilNanos, Runnable each) {
    while (!agenda.isEmpty() && agenda.peek().atNanos() <= untilNanos) {
      step();
      each.run();
    }
    nowNanos = untilNanos;
  }
}
