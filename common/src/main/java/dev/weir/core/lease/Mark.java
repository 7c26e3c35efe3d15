package dev.weir.core.lease;

/**
 * A low-water mark of a slow bucket's pool (S9): the pool holds at least this much until a mark
 * with a larger number is durable.
 *
 * @param number grows with every mark of a bucket
 * @param levelMicros tokens known to be left
 */
public record Mark(long number, long levelMicros) {}
