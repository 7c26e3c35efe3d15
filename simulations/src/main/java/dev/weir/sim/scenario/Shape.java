package dev.weir.sim.scenario;

import java.util.List;

/** How many requests there are per second, as a function of time. */
sealed interface Shape {
  /** Requests per second at an instant since the replay began. */
  double perSecondAt(long nanos);

  /** Always the same. */
  record Constant(double perSecond) implements Shape {
    @Override
    public double perSecondAt(long nanos) {
      return perSecond;
    }
  }

  /** One rate until an instant, then evenly to another. */
  record Ramp(double from, double to, long atNanos, long overNanos) implements Shape {
    @Override
    public double perSecondAt(long nanos) {
      if (nanos < atNanos) {
        return from;
      }
      double part = overNanos == 0 ? 1 : Math.min(1, (double) (nanos - atNanos) / overNanos);
      return from + (to - from) * part;
    }
  }

  /** Up and down like a day: a sine between two rates. */
  record Day(double low, double high, long periodNanos, long peakNanos) implements Shape {
    @Override
    public double perSecondAt(long nanos) {
      double turns = (double) (nanos - peakNanos) / periodNanos;
      return low + (high - low) * (1 + StrictMath.cos(2 * Math.PI * turns)) / 2;
    }
  }

  /** A rate from each of some instants on; nothing before the first. */
  record Steps(List<Step> steps) implements Shape {
    public Steps {
      steps = List.copyOf(steps);
    }

    @Override
    public double perSecondAt(long nanos) {
      double now = 0;
      for (Step step : steps) {
        if (step.atNanos() <= nanos) {
          now = step.perSecond();
        }
      }
      return now;
    }
  }

  /** One of {@link Steps}. */
  record Step(long atNanos, double perSecond) {}

  /** A rate, and for a while another. */
  record Spike(double base, double peak, long atNanos, long forNanos) implements Shape {
    @Override
    public double perSecondAt(long nanos) {
      return nanos >= atNanos && nanos - atNanos < forNanos ? peak : base;
    }
  }
}
