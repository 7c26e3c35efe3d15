package dev.weir.sim.live;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was asked and what came of it, per region and slot of time, in tokens. A decision counts in
 * the slot of its arrival, so that the lines of a plot belong together. Safe for use by several
 * threads.
 */
public final class Timeline {
  /** What is counted. */
  public enum Count {
    /** Sent to the agent. */
    ASKED,
    /** Admitted by the agent. */
    ADMITTED,
    /** Refused by the agent. */
    REFUSED,
    /** Neither: no answer came, or none that could be read. */
    UNANSWERED,
    /** What one central bucket would have admitted. */
    ORACLE_ADMITTED,
    /** Refused by the agent although the central bucket would have admitted it. */
    REFUSED_ALONE
  }

  private final long slotNanos;
  private final Map<String, Map<Count, List<Long>>> regions = new LinkedHashMap<>();

  /** An empty timeline with slots of this length. */
  public Timeline(List<String> regions, long slotNanos) {
    this.slotNanos = slotNanos;
    for (String region : regions) {
      Map<Count, List<Long>> counts = new EnumMap<>(Count.class);
      for (Count count : Count.values()) {
        counts.put(count, new ArrayList<>());
      }
      this.regions.put(region, counts);
    }
  }

  /** Adds {@code tokens} to the slot of {@code atNanos}, counted from the start of the replay. */
  public synchronized void add(String region, Count count, long atNanos, long tokens) {
    List<Long> slots = counts(region, count);
    int slot = (int) (Math.max(0, atNanos) / slotNanos);
    while (slots.size() <= slot) {
      slots.add(0L);
    }
    slots.set(slot, slots.get(slot) + tokens);
  }

  /** The regions, in the order of their plots. */
  public synchronized List<String> regions() {
    return new ArrayList<>(regions.keySet());
  }

  /** The length of a slot. */
  public long slotNanos() {
    return slotNanos;
  }

  /** How many slots anything was counted in, up to the last. */
  public synchronized int slots() {
    int slots = 0;
    for (Map<Count, List<Long>> counts : regions.values()) {
      for (List<Long> each : counts.values()) {
        slots = Math.max(slots, each.size());
      }
    }
    return slots;
  }

  /** The tokens of one slot; 0 beyond the last. */
  public synchronized long tokens(String region, Count count, int slot) {
    List<Long> slots = counts(region, count);
    return slot < slots.size() ? slots.get(slot) : 0;
  }

  /** The tokens of all slots of one region. */
  public synchronized long total(String region, Count count) {
    return counts(region, count).stream().mapToLong(Long::longValue).sum();
  }

  /** The tokens of all slots of all regions. */
  public synchronized long total(Count count) {
    return regions.keySet().stream().mapToLong(region -> total(region, count)).sum();
  }

  private List<Long> counts(String region, Count count) {
    Map<Count, List<Long>> counts = regions.get(region);
    if (counts == null) {
      throw new IllegalArgumentException("no such region: " + region);
    }
    List<Long> slots = counts.get(count);
    if (slots == null) {
      throw new AssertionError(count);
    }
    return slots;
  }
}
