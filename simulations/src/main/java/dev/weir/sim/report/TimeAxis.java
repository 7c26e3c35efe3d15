package dev.weir.sim.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The ticks of a plot's time axis: round times of the trace's own clock, which the replay only
 * speeds up.
 */
final class TimeAxis {
  private static final int TICKS_MAX = 8;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long[] STEP_SECONDS = {
    1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 14_400, 28_800, 86_400
  };

  private TimeAxis() {}

  static List<Plot.Tick> of(Run run, int slots) {
    long fromNanos = run.trace().fromNanos();
    long lengthNanos = run.pace().traceNanos(slots * run.outcome().timeline().slotNanos());
    return ticks(fromNanos, lengthNanos);
  }

  static List<Plot.Tick> ticks(long fromNanos, long lengthNanos) {
    long stepNanos = step(lengthNanos / SECOND_NANOS) * SECOND_NANOS;
    DateTimeFormatter clock =
        DateTimeFormatter.ofPattern(
            stepNanos < 60 * SECOND_NANOS ? "HH:mm:ss" : "HH:mm", Locale.ROOT);
    List<Plot.Tick> ticks = new ArrayList<>();
    long first = Math.floorDiv(fromNanos + stepNanos - 1, stepNanos) * stepNanos;
    for (long at = first; at <= fromNanos + lengthNanos; at += stepNanos) {
      String label = clock.format(Instant.ofEpochSecond(0, at).atOffset(ZoneOffset.UTC));
      ticks.add(new Plot.Tick((double) (at - fromNanos) / lengthNanos, label));
    }
    return ticks;
  }

  private static long step(long lengthSeconds) {
    for (long step : STEP_SECONDS) {
      if (lengthSeconds / step < TICKS_MAX) {
        return step;
      }
    }
    return Math.max(1, lengthSeconds / 86_400 / TICKS_MAX) * 86_400;
  }
}
