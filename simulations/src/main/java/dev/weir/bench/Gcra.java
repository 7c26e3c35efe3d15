package dev.weir.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The yardstick: the generic cell rate algorithm in its smallest form, one word that says when the
 * next request would come exactly on time, changed by one compare-and-set, no lease, no expiry, no
 * count of anything.
 */
final class Gcra {
  private static final VarHandle ON_TIME;

  static {
    try {
      ON_TIME = MethodHandles.lookup().findVarHandle(Gcra.class, "onTimeNanos", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile long onTimeNanos;

  Gcra(long nowNanos) {
    onTimeNanos = nowNanos;
  }

  boolean take(long spacingNanos, long toleranceNanos, long nowNanos) {
    while (true) {
      long expected = onTimeNanos;
      long start = expected - nowNanos < 0 ? nowNanos : expected;
      long after = start + spacingNanos;
      if (after - nowNanos > toleranceNanos) {
        return false;
      }
      if (ON_TIME.compareAndSet(this, expected, after)) {
        return true;
      }
    }
  }
}
