package dev.weir.agent.sync;

import dev.weir.core.math.Nanos;
import java.util.function.LongSupplier;

/**
 * The two clocks of a process.
 *
 * @param nanos the monotonic one, by which everything is decided
 * @param wallNanos the wall clock in nanoseconds, for nothing but noticing that the machine slept
 */
public record Clocks(LongSupplier nanos, LongSupplier wallNanos) {
  /** Two readings further apart than this are taken again: well below any guard. */
  private static final long APART_NANOS_MAX = 2 * Nanos.MILLISECOND_NANOS;

  private static final int TRIES = 20;

  /** The machine's. */
  public static final Clocks SYSTEM =
      new Clocks(System::nanoTime, () -> System.currentTimeMillis() * Nanos.MILLISECOND_NANOS);

  /**
   * Both clocks at one instant. A thread that is held up between reading one and the other would
   * see the wall clock run ahead, which is what a suspended machine looks like.
   */
  public record Reading(long nowNanos, long wallNanos) {}

  /** Reads both as nearly at once as the machine allows. */
  public Reading read() {
    Reading best = new Reading(0, 0);
    long bestApartNanos = Long.MAX_VALUE;
    for (int i = 0; i < TRIES && bestApartNanos > APART_NANOS_MAX; i++) {
      long beforeNanos = nanos.getAsLong();
      long wall = wallNanos.getAsLong();
      long apartNanos = nanos.getAsLong() - beforeNanos;
      if (apartNanos < bestApartNanos) {
        bestApartNanos = apartNanos;
        best = new Reading(beforeNanos, wall);
      }
    }
    return best;
  }
}
