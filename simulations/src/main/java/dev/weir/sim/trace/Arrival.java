package dev.weir.sim.trace;

/**
 * One request, when it is due.
 *
 * @param atNanos since the replay began
 */
public record Arrival(long atNanos, String region, String key, long cost) {}
