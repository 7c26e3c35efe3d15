package dev.weir.sim.fleet;

import java.util.PriorityQueue;

/**
 * True time, and what is to happen when; what happens at one instant happens in the order asked.
 */
final class VirtualTime {
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
  long nowNanos() {
    return nowNanos;
  }

  void after(long nanos, Runnable what) {
    agenda.add(new Happening(nowNanos + Math.max(0, nanos), asked++, what));
  }

  /** Lets all happen until an instant, and calls {@code each} after every happening. */
  void runUntil(long untilNanos, Runnable each) {
    while (!agenda.isEmpty() && agenda.peek().atNanos() <= untilNanos) {
      Happening next = agenda.remove();
      nowNanos = next.atNanos();
      next.what().run();
      each.run();
    }
    nowNanos = untilNanos;
  }
}
