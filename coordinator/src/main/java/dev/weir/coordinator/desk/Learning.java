package dev.weir.coordinator.desk;

/**
 * How many quotas only have their leases confirmed (S9).
 *
 * @param quotas so many; 0 when learning has ended
 * @param leftNanos until the last of them grants again
 */
public record Learning(int quotas, long leftNanos) {}
