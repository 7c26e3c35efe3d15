package dev.weir.core.bucket;

import dev.weir.core.math.Nanos;

/** Lengths of time under names that say what comes out, which is what the compiler compares. */
final class Lengths {
  private Lengths() {}

  static long secondsNanos(long seconds) {
    return Nanos.ofSeconds(seconds);
  }

  static long millisNanos(long millis) {
    return Nanos.ofMillis(millis);
  }
}
