package dev.weir.sim.replay;

import java.util.Arrays;

/** A number per slot of time. */
public final class Series {
  private final double[] values;

  Series(double[] values) {
    this.values = values.clone();
  }

  /** Of micro-tokens. */
  static Series tokens(long[] micros) {
    return new Series(Arrays.stream(micros).mapToDouble(each -> each / 1e6).toArray());
  }

  /** How many slots there are. */
  public int slots() {
    return values.length;
  }

  /** The value of a slot; not a number where it has none. */
  public double at(int slot) {
    return values[slot];
  }

  /** The largest value; 0 without any. */
  public double max() {
    return Arrays.stream(values).filter(value -> !Double.isNaN(value)).max().orElse(0);
  }
}
