package dev.weir.sim.trace;

import dev.weir.core.quota.Descriptors;

/**
 * One request, when it is due. Arrivals of one trace share their texts and descriptors: the same
 * caller is the same objects.
 *
 * @param atNanos since the replay began
 * @param region where it is asked
 * @param key who asks, in one word
 * @param cost tokens asked for, at least 1
 * @param descriptors what it is decided by; none where the trace knows only the key
 */
public record Arrival(long atNanos, String region, String key, long cost, Descriptors descriptors) {
  /** An arrival that knows only the key. */
  public Arrival(long atNanos, String region, String key, long cost) {
    this(atNanos, region, key, cost, Descriptors.NONE);
  }
}
