package dev.weir.sim.report;

import dev.weir.sim.live.LeaseSample;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.live.Timeline.Count;
import java.util.Arrays;
import java.util.List;

/** What a run counted, as evenly spaced values in tokens per second, ready to be drawn. */
final class Series {
  private static final double SECOND_NANOS = 1e9;

  private Series() {}

  /** One count of one region. */
  static double[] perSecond(Timeline timeline, String region, Count count, int slots) {
    double[] values = new double[slots];
    for (int slot = 0; slot < slots; slot++) {
      values[slot] = timeline.tokens(region, count, slot) * SECOND_NANOS / timeline.slotNanos();
    }
    return values;
  }

  /** One region's leases, each sample until the next; 0 before the first. */
  static double[] leased(List<LeaseSample> samples, String region, long slotNanos, int slots) {
    double[] values = new double[slots];
    int next = 0;
    double held = 0;
    for (int slot = 0; slot < slots; slot++) {
      for (; next < samples.size() && samples.get(next).atNanos() <= slot * slotNanos; next++) {
        held = samples.get(next).leasedPerSecond().getOrDefault(region, 0.0);
      }
      values[slot] = held;
    }
    return values;
  }

  /** The same value in every slot. */
  static double[] constant(double value, int slots) {
    double[] values = new double[slots];
    Arrays.fill(values, value);
    return values;
  }

  /** Slot by slot, the two together. */
  static double[] sum(double[] a, double[] b) {
    double[] sum = new double[a.length];
    Arrays.setAll(sum, i -> a[i] + b[i]);
    return sum;
  }

  /** The largest value. */
  static double max(double[] values) {
    return Arrays.stream(values).max().orElse(0);
  }
}
