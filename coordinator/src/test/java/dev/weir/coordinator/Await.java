package dev.weir.coordinator;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/** Waits until something is so, and fails when it takes too long. */
public final class Await {
  private static final long LONGEST_SECONDS = 30;

  private Await() {}

  /** Asks again and again, for half a minute at most. */
  public static void until(String what, Callable<Boolean> isSo) throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    long startNanos = System.nanoTime();
    while (!isSo.call()) {
      if (System.nanoTime() - startNanos > SECONDS.toNanos(LONGEST_SECONDS)) {
        throw new AssertionError("never happened: " + what);
      }
      boolean counted = never.await(5, MILLISECONDS);
      if (counted) {
        throw new AssertionError("nobody counts down");
      }
    }
  }
}
