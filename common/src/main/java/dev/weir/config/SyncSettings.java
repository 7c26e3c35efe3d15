package dev.weir.config;

import dev.weir.core.math.Check;

/**
 * How an agent talks to the coordinator.
 *
 * @param intervalNanos time between requests, in {@code [10 ms, 10 s]}
 * @param timeoutNanos after which a request is given up, in {@code [10 ms, 60 s]}
 */
public record SyncSettings(long intervalNanos, long timeoutNanos) {
  static final long INTERVAL_NANOS_MIN = 10_000_000L;
  static final long INTERVAL_NANOS_MAX = 10_000_000_000L;
  static final long TIMEOUT_NANOS_MIN = 10_000_000L;
  static final long TIMEOUT_NANOS_MAX = 60_000_000_000L;

  /** 100 ms and 1 s. */
  public static final SyncSettings DEFAULT = new SyncSettings(100_000_000L, 1_000_000_000L);

  public SyncSettings {
    Check.inRange("intervalNanos", intervalNanos, INTERVAL_NANOS_MIN, INTERVAL_NANOS_MAX);
    Check.inRange("timeoutNanos", timeoutNanos, TIMEOUT_NANOS_MIN, TIMEOUT_NANOS_MAX);
  }

  static SyncSettings read(Section settings) {
    Section sync = settings.section("sync", "sync");
    if (sync == null) {
      return DEFAULT;
    }
    SyncSettings read =
        new SyncSettings(
            sync.value(
                "interval",
                Durations.between(INTERVAL_NANOS_MIN, INTERVAL_NANOS_MAX),
                DEFAULT.intervalNanos),
            sync.value(
                "timeout",
                Durations.between(TIMEOUT_NANOS_MIN, TIMEOUT_NANOS_MAX),
                DEFAULT.timeoutNanos));
    sync.close();
    return read;
  }
}
