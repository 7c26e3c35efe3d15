package dev.weir.testkit;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A monotonic clock moved by hand. It starts anywhere, negative and close to overflow included, so
 * that nothing relies on zero or on instants that grow. Any thread may read or move it.
 */
public final class ManualTicker implements LongSupplier {
  private final AtomicLong nowNanos;

  private ManualTicker(long startNanos) {
    nowNanos = new AtomicLong(startNanos);
  }

  /** Starts at a chosen instant. */
  public static ManualTicker at(long startNanos) {
    return new ManualTicker(startNanos);
  }

  /** Starts at any instant; one time in four so late that the clock wraps within a second. */
  public static ManualTicker startingAnywhere(Random random) {
    return random.nextInt(4) == 0
        ? at(Long.MAX_VALUE - random.nextInt(1_000_000_000))
        : at(random.nextLong());
  }

  /** The instant now, as {@link System#nanoTime()} gives it. */
  public long nanos() {
    return nowNanos.get();
  }

  @Override
  public long getAsLong() {
    return nanos();
  }

  /** Moves on, or back if {@code lengthNanos} is negative, and returns the new instant. */
  public long advance(long lengthNanos) {
    return nowNanos.addAndGet(lengthNanos);
  }
}
