package dev.weir.sim.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of many rows, in columns: 12 bytes a row, 20 where counts and costs are not all 1.
 * Kept in chunks, so that it grows without copying what is there.
 */
final class RowStore {
  private static final int CHUNK_BITS = 14;
  private static final int CHUNK = 1 << CHUNK_BITS;

  private final List<Chunk> chunks = new ArrayList<>();
  private int size;
  private boolean sorted = true;

  int size() {
    return size;
  }

  /** Tells whether times never went back so far. */
  boolean isSorted() {
    return sorted;
  }

  void add(long timeNanos, int caller, int count, int cost) {
    if (size > 0 && timeNanos < timeNanos(size - 1)) {
      sorted = false;
    }
    if ((size & (CHUNK - 1)) == 0) {
      chunks.add(new Chunk());
    }
    Chunk chunk = chunk(size);
    int at = size & (CHUNK - 1);
    chunk.timesNanos[at] = timeNanos;
    chunk.callers[at] = caller;
    chunk.counts = put(chunk.counts, at, count);
    chunk.costs = put(chunk.costs, at, cost);
    size++;
  }

  long timeNanos(int row) {
    return chunk(row).timesNanos[row & (CHUNK - 1)];
  }

  int caller(int row) {
    return chunk(row).callers[row & (CHUNK - 1)];
  }

  int count(int row) {
    return get(chunk(row).counts, row);
  }

  int cost(int row) {
    return get(chunk(row).costs, row);
  }

  /** Returns the rows in the order of time; rows of the same time stay in theirs. */
  RowStore sortedByTime() {
    if (sorted) {
      return this;
    }
    RowStore result = new RowStore();
    for (int row : order()) {
      result.add(timeNanos(row), caller(row), count(row), cost(row));
    }
    return result;
  }

  /** Merges runs that grow; logs are almost in order, so most runs need only be put in a row. */
  private int[] order() {
    int[] from = new int[size];
    Arrays.setAll(from, row -> row);
    int[] to = new int[size];
    for (long run = 1; run < size; run *= 2) {
      for (long low = 0; low < size; low += 2 * run) {
        merge(from, to, low, Math.min(size, low + run), Math.min(size, low + 2 * run));
      }
      int[] merged = to;
      to = from;
      from = merged;
    }
    return from;
  }

  private void merge(int[] from, int[] to, long low, long middle, long high) {
    int left = (int) low;
    int right = (int) middle;
    if (middle == high || timeNanos(from[right - 1]) <= timeNanos(from[right])) {
      System.arraycopy(from, left, to, left, (int) (high - low));
      return;
    }
    for (int at = (int) low; at < high; at++) {
      boolean takeLeft =
          left < middle && (right >= high || timeNanos(from[left]) <= timeNanos(from[right]));
      to[at] = takeLeft ? from[left++] : from[right++];
    }
  }

  private Chunk chunk(int row) {
    return chunks.get(row >> CHUNK_BITS);
  }

  /** A column comes into being with its first number that is not 1. */
  private static int @Nullable [] put(int @Nullable [] column, int at, int value) {
    int[] values = column;
    if (values == null) {
      if (value == 1) {
        return null;
      }
      values = new int[CHUNK];
      Arrays.fill(values, 1);
    }
    values[at] = value;
    return values;
  }

  private static int get(int @Nullable [] column, int row) {
    return column == null ? 1 : column[row & (CHUNK - 1)];
  }

  private static final class Chunk {
    final long[] timesNanos = new long[CHUNK];
    final int[] callers = new int[CHUNK];
    int @Nullable [] counts;
    int @Nullable [] costs;
  }
}
