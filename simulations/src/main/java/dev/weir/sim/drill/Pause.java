package dev.weir.sim.drill;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets time pass while something else goes on. */
final class Pause {
  private Pause() {}

  static void ofNanos(long nanos) throws InterruptedException {
    boolean unused = new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
  }
}
