package dev.weir.agent.count;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/** A histogram of how long something took, cheap enough for every decision. Any thread. */
public final class Durations implements LongConsumer {
  private static final long MICROSECOND = 1_000;
  private static final long MILLISECOND = 1_000_000;

  private final long[] endsNanos;
  private final LongAdder[] counts;
  private final LongAdder sumNanos = new LongAdder();

  private Durations(long... endsNanos) {
    this.endsNanos = endsNanos;
    this.counts = new LongAdder[endsNanos.length + 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** For decisions: 1 µs to 50 ms; one from memory is in the first ranges. */
  public static Durations ofDecisions() {
    return new Durations(
        MICROSECOND,
        5 * MICROSECOND,
        20 * MICROSECOND,
        50 * MICROSECOND,
        200 * MICROSECOND,
        MILLISECOND,
        5 * MILLISECOND,
        10 * MILLISECOND,
        20 * MILLISECOND,
        50 * MILLISECOND);
  }

  /** For round trips between regions: 1 ms to 1 s. */
  public static Durations ofRoundTrips() {
    return new Durations(
        MILLISECOND,
        2 * MILLISECOND,
        5 * MILLISECOND,
        10 * MILLISECOND,
        25 * MILLISECOND,
        50 * MILLISECOND,
        100 * MILLISECOND,
        250 * MILLISECOND,
        500 * MILLISECOND,
        1_000 * MILLISECOND);
  }

  @Override
  public void accept(long nanos) {
    int i = 0;
    while (i < endsNanos.length && nanos > endsNanos[i]) {
      i++;
    }
    counts[i].increment();
    sumNanos.add(nanos);
  }

  /** How many were counted. */
  public long count() {
    long count = 0;
    for (LongAdder range : counts) {
      count += range.sum();
    }
    return count;
  }

  /**
   * Returns the histogram in the Prometheus text format.
   *
   * @param name with its unit, seconds
   * @param labels without braces, such as {@code region="eu-west"}
   */
  public String text(String name, String help, String labels) {
    StringBuilder text = new StringBuilder(1024);
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(" histogram\n");
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      total += counts[i].sum();
      String end = i < endsNanos.length ? Double.toString(endsNanos[i] / 1e9) : "+Inf";
      text.append(name).append("_bucket{").append(labels).append(",le=\"");
      text.append(end).append("\"} ").append(total).append('\n');
    }
    text.append(name).append("_sum{").append(labels).append("} ");
    text.append(sumNanos.sum() / 1e9).append('\n');
    text.append(name).append("_count{").append(labels).append("} ");
    return text.append(total).append('\n').toString();
  }
}
