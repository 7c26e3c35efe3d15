package dev.weir.sim.trace;

import dev.weir.core.quota.Descriptors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the rows of a trace; equal texts and callers are kept once. */
final class TraceBuilder {
  private final String name;
  private RowStore rows = new RowStore();
  private final Map<String, String> texts = new HashMap<>();
  private final Map<Caller, Integer> numbers = new HashMap<>();
  private final List<Caller> callers = new ArrayList<>();

  TraceBuilder(String name) {
    this.name = name;
  }

  int size() {
    return rows.size();
  }

  /** Tells whether the rows came in the order of time. */
  boolean isSorted() {
    return rows.isSorted();
  }

  /** Returns the text that is kept for all that equal it. */
  String shared(String text) {
    String before = texts.putIfAbsent(text, text);
    return before == null ? text : before;
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if count or cost are out of their range
   */
  void add(
      long timeNanos, String region, String key, Descriptors descriptors, long count, long cost) {
    TraceRow.checkAmount("count", count);
    TraceRow.checkAmount("cost", cost);
    Caller caller = new Caller(shared(region), shared(key), descriptors);
    Integer number = numbers.get(caller);
    if (number == null) {
      number = callers.size();
      numbers.put(caller, number);
      callers.add(caller);
    }
    rows.add(timeNanos, number, (int) count, (int) cost);
  }

  void add(TraceRow row) {
    add(row.timeNanos(), row.region(), row.key(), row.descriptors(), row.count(), row.cost());
  }

  String name() {
    return name;
  }

  /** The rows so far, in the order of time. */
  RowStore rows() {
    rows = rows.sortedByTime();
    return rows;
  }

  List<Caller> callers() {
    return callers;
  }
}
