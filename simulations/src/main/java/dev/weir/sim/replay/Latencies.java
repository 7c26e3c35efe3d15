package dev.weir.sim.replay;

/** How long answers took: counts by steps, four to a doubling, so that it takes no room. */
final class Latencies {
  private static final int STEPS = 4 * Long.SIZE;

  private final long[] counts = new long[STEPS];
  private long count;
  private double sumNanos;
  private long maxNanos;

  void add(long nanos) {
    counts[step(nanos)]++;
    count++;
    sumNanos += nanos;
    maxNanos = Math.max(maxNanos, nanos);
  }

  /** 0 for 0; else four for each power of two. */
  private static int step(long nanos) {
    if (nanos < 4) {
      return (int) nanos;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    return 4 * (power - 1) + (int) ((nanos >>> (power - 2)) & 3);
  }

  private static long endOf(int step) {
    if (step < 4) {
      return step;
    }
    int power = step / 4 + 1;
    return (1L << power) + ((step % 4 + 1L) << (power - 2)) - 1;
  }

  private long atPart(double part) {
    long wanted = (long) Math.ceil(part * count);
    long seen = 0;
    for (int step = 0; step < STEPS; step++) {
      seen += counts[step];
      if (seen >= wanted) {
        return Math.min(maxNanos, endOf(step));
      }
    }
    return maxNanos;
  }

  ReplayResult.Latency latency() {
    return new ReplayResult.Latency(
        count == 0 ? 0 : sumNanos / count, atPart(0.5), atPart(0.99), atPart(0.999), maxNanos);
  }
}
