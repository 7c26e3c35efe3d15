package dev.weir.agent.sync;

import dev.weir.core.math.Nanos;
import java.util.function.DoubleSupplier;

/**
 * How long to wait after failures in a row: any time up to a limit that doubles ("full jitter"), so
 * that a thousand agents whose coordinator comes back do not all ask in the same moment. Used by
 * one thread.
 */
final class Backoff {
  /** The longest wait, and so about the longest time until a coordinator that is back is found. */
  static final long WAIT_NANOS_MAX = 2 * Nanos.SECOND_NANOS;

  private final long firstNanos;
  private final int freeTries;
  private final DoubleSupplier dice;
  private int failures;

  /**
   * Starts without failures.
   *
   * @param firstNanos the limit of the first wait
   * @param freeTries failures that are not waited for: the other coordinators of the list
   * @param dice numbers in {@code [0, 1)}
   */
  Backoff(long firstNanos, int freeTries, DoubleSupplier dice) {
    this.firstNanos = firstNanos;
    this.freeTries = freeTries;
    this.dice = dice;
  }

  /** It worked. */
  void succeeded() {
    failures = 0;
  }

  /** It failed; returns how long to wait before the next try. */
  long failedNanos() {
    int doublings = failures++ - freeTries;
    if (doublings < 0) {
      return 0;
    }
    long limitNanos =
        doublings > 30 ? WAIT_NANOS_MAX : Math.min(WAIT_NANOS_MAX, firstNanos << doublings);
    return (long) (limitNanos * dice.getAsDouble());
  }

  /** Failures in a row. */
  int failures() {
    return failures;
  }
}
