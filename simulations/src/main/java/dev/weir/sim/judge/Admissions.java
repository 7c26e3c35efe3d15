package dev.weir.sim.judge;

import java.util.Arrays;

/** The admissions of one bucket, gathered in any order and given back in that of time. */
final class Admissions {
  private long[] atNanos = new long[16];
  private long[] costMicros = new long[16];
  private int size;

  void add(long at, long cost) {
    if (size == atNanos.length) {
      atNanos = Arrays.copyOf(atNanos, 2 * size);
      costMicros = Arrays.copyOf(costMicros, 2 * size);
    }
    atNanos[size] = at;
    costMicros[size] = cost;
    size++;
  }

  int size() {
    return size;
  }

  /** Calls for each, earliest first (by subtraction: the clock may wrap). */
  void forEachInOrder(Each each) {
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.signum(atNanos[a] - atNanos[b]));
    for (int i : order) {
      each.accept(atNanos[i], costMicros[i]);
    }
  }

  /** Takes one admission. */
  interface Each {
    void accept(long atNanos, long costMicros);
  }
}
