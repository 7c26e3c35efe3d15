package dev.weir.agent;

import java.util.concurrent.atomic.AtomicInteger;

/** How many keys an agent keeps apart, over all quotas. Any thread. */
final class KeyRoom {
  private final int max;
  private final AtomicInteger used = new AtomicInteger();

  KeyRoom(int max) {
    this.max = max;
  }

  /** Takes room for one, if there is any. */
  boolean take() {
    if (used.incrementAndGet() <= max) {
      return true;
    }
    used.decrementAndGet();
    return false;
  }

  void free() {
    used.decrementAndGet();
  }

  int used() {
    return used.get();
  }

  int max() {
    return max;
  }
}
