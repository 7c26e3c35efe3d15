package dev.weir.config;

import dev.weir.core.math.Check;

/**
 * What clocks are held to; the same on agents and coordinators.
 *
 * @param driftPpm the most a clock's rate may be wrong, ρ, in millionths, in {@code [0, 10000]}
 * @param guardNanos what is added to every wait for another clock, in {@code [1 ms, 10 s]}
 */
public record ClockSettings(int driftPpm, long guardNanos) {
  static final int DRIFT_PPM_MAX = 10_000;
  static final long GUARD_NANOS_MIN = 1_000_000L;
  static final long GUARD_NANOS_MAX = 10_000_000_000L;

  /** 0.0005 and 50 ms. */
  public static final ClockSettings DEFAULT = new ClockSettings(500, 50_000_000L);

  public ClockSettings {
    Check.inRange("driftPpm", driftPpm, 0, DRIFT_PPM_MAX);
    Check.inRange("guardNanos", guardNanos, GUARD_NANOS_MIN, GUARD_NANOS_MAX);
  }

  static ClockSettings read(Section settings) {
    Section clock = settings.section("clock", "clock");
    if (clock == null) {
      return DEFAULT;
    }
    ClockSettings read =
        new ClockSettings(
            clock.value("drift", Amounts.fraction(DRIFT_PPM_MAX), DEFAULT.driftPpm),
            clock.value(
                "guard", Durations.between(GUARD_NANOS_MIN, GUARD_NANOS_MAX), DEFAULT.guardNanos));
    clock.close();
    return read;
  }
}
