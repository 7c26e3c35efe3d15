package dev.weir.core.lease;

import dev.weir.core.math.Nanos;

/**
 * How many buckets one request may name. A coordinator that has too much to do answers late; asked
 * for less at a time it answers within the time-out, and what it did is not thrown away. Halved by
 * an answer that took long, quartered by none at all, and slowly grown again. Not thread-safe.
 */
final class RequestRoom {
  /** Most buckets in one request. */
  static final int MOST = 1_000;

  /** However slow answers are. */
  static final int LEAST = 50;

  /** So much longer than the quickest lately is long; a link that is slow always is not. */
  static final long LONG_NANOS = 200 * Nanos.MILLISECOND_NANOS;

  /** What is quickest is forgotten by this part an answer, should the link have become slower. */
  private static final long FORGOTTEN_PARTS = 64;

  private static final int GROWTH_PARTS = 8;

  private int buckets = MOST;
  private long quickestNanos = Long.MAX_VALUE;

  /** Returns how many buckets the next request may name. */
  int buckets() {
    return buckets;
  }

  /** A request that named so many buckets was answered after so long. */
  void answered(int named, long tookNanos) {
    quickestNanos =
        quickestNanos == Long.MAX_VALUE
            ? tookNanos
            : Math.min(tookNanos, quickestNanos + quickestNanos / FORGOTTEN_PARTS);
    long longerNanos = tookNanos - quickestNanos;
    if (longerNanos > LONG_NANOS) {
      shrink(named / 2);
    } else if (longerNanos < LONG_NANOS / 2) {
      buckets = Math.min(MOST, buckets + buckets / GROWTH_PARTS);
    }
  }

  /** A request that named so many buckets got no answer in time. */
  void unanswered(int named) {
    shrink(named / 4);
  }

  private void shrink(int to) {
    buckets = Math.min(buckets, Math.max(LEAST, to));
  }
}
