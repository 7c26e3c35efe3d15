package dev.weir.agent.telemetry;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/**
 * A histogram of how long decisions took, cheap enough for each of them: {@code
 * weir_decision_duration_seconds} as Prometheus text. Any thread.
 */
public final class DecisionTimes implements LongConsumer {
  /** Upper ends in nanoseconds: 1 µs to 50 ms; a decision from memory is in the first ones. */
  private static final long[] ENDS_NANOS = {
    1_000, 5_000, 20_000, 50_000, 200_000, 1_000_000, 5_000_000, 10_000_000, 20_000_000, 50_000_000
  };

  private final LongAdder[] counts = new LongAdder[ENDS_NANOS.length + 1];
  private final LongAdder sumNanos = new LongAdder();
  private final String region;

  /** Counts from zero. */
  public DecisionTimes(String region) {
    this.region = region;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  @Override
  public void accept(long nanos) {
    int i = 0;
    while (i < ENDS_NANOS.length && nanos > ENDS_NANOS[i]) {
      i++;
    }
    counts[i].increment();
    sumNanos.add(nanos);
  }

  /** Returns the histogram in the text format. */
  public String text() {
    String name = "weir_decision_duration_seconds";
    StringBuilder text = new StringBuilder(1024);
    text.append("# HELP ").append(name);
    text.append(" Time from reading a question to its decision, without the network\n");
    text.append("# TYPE ").append(name).append(" histogram\n");
    long total = 0;
    for (int i = 0; i < counts.length; i++) {
      total += counts[i].sum();
      String end = i < ENDS_NANOS.length ? Double.toString(ENDS_NANOS[i] / 1e9) : "+Inf";
      text.append(name).append("_bucket{region=\"").append(region).append("\",le=\"");
      text.append(end).append("\"} ").append(total).append('\n');
    }
    text.append(name).append("_sum{region=\"").append(region).append("\"} ");
    text.append(sumNanos.sum() / 1e9).append('\n');
    text.append(name).append("_count{region=\"").append(region).append("\"} ");
    return text.append(total).append('\n').toString();
  }
}
