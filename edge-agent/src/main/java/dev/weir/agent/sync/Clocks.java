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
  /** The machine's. */
  public static final Clocks SYSTEM =
      new Clocks(System::nanoTime, () -> System.currentTimeMillis() * Nanos.MILLISECOND_NANOS);
}
