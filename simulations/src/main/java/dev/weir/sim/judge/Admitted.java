package dev.weir.sim.judge;

/**
 * One admission, as its agent wrote it down.
 *
 * @param atNanos on the machine's monotonic clock
 */
public record Admitted(long atNanos, long costMicros) {}
