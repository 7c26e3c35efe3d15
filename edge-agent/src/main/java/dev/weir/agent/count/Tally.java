package dev.weir.agent.count;

import java.util.EnumMap;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * One counter for each constant of an enum. Any thread.
 *
 * @param <E> what is told apart
 */
public final class Tally<E extends Enum<E>> {
  private final EnumMap<E, LongAdder> counts;

  /** Counts from zero. */
  public Tally(Class<E> kinds) {
    counts = new EnumMap<>(kinds);
    for (E kind : kinds.getEnumConstants()) {
      counts.put(kind, new LongAdder());
    }
  }

  /** Counts one. */
  public void count(E kind) {
    add(kind, 1);
  }

  /** Counts so many. */
  public void add(E kind, long many) {
    Objects.requireNonNull(counts.get(kind)).add(many);
  }

  /** How many were counted, wrapping around. */
  public long of(E kind) {
    return Objects.requireNonNull(counts.get(kind)).sum();
  }

  /** How many were counted of all kinds together, wrapping around. */
  public long sum() {
    long sum = 0;
    for (LongAdder count : counts.values()) {
      sum += count.sum();
    }
    return sum;
  }
}
