package dev.weir.sim.trace;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;

/** Instants as traces write them, in nanoseconds since the epoch. */
final class TraceTime {
  static final long SECOND_NANOS = 1_000_000_000L;

  /** The year 5138; whatever is more was not meant to be seconds. */
  private static final BigDecimal SECONDS_MAX = BigDecimal.valueOf(100_000_000_000L);

  private TraceTime() {}

  /**
   * Reads epoch seconds, with a fraction if need be, or an ISO-8601 instant.
   *
   * @throws IllegalArgumentException if it is neither, or finer than a nanosecond
   */
  static long nanos(String text) {
    return text.indexOf('T') >= 0 ? ofInstant(text) : ofSeconds(text);
  }

  /** Reads an ISO-8601 instant, with {@code Z} or another offset. */
  static long ofInstant(String text) {
    try {
      Instant instant = Instant.parse(text);
      return Math.addExact(
          Math.multiplyExact(instant.getEpochSecond(), SECOND_NANOS), instant.getNano());
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no instant, as in 1995-08-01T04:00:00Z", e);
    }
  }

  /** Reads epoch seconds, with a fraction if need be. */
  static long ofSeconds(String text) {
    try {
      BigDecimal seconds = new BigDecimal(text);
      if (seconds.compareTo(SECONDS_MAX) < 0) {
        return seconds.movePointRight(9).longValueExact();
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no time: epoch seconds, or as in 1995-08-01T04:00:00Z", e);
    }
    throw new IllegalArgumentException(
        text + " is too late for epoch seconds; divide milliseconds by 1000");
  }
}
