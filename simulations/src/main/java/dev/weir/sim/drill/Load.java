package dev.weir.sim.drill;

import dev.weir.sim.live.LiveReplay;
import dev.weir.sim.live.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A load being played in a thread of its own, which notes where it was held up itself. */
final class Load {
  /** Longer than this between two ticks of 5 ms: the machine was busy with something else. */
  private static final long STALL_NANOS = 20_000_000;

  private final EvenLoad arrivals;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private final List<Stall> stalls = new ArrayList<>();
  private final long startNanos = System.nanoTime();
  private long tickedNanos;

  /**
   * Once when nothing was sent because the sender did not run.
   *
   * @param atNanos since the load began
   */
  record Stall(long atNanos, long lengthNanos) {}

  private Load(EvenLoad arrivals) {
    this.arrivals = arrivals;
  }

  static Load start(LiveReplay replay, EvenLoad arrivals) {
    Load load = new Load(arrivals);
    Thread thread = new Thread(() -> load.play(replay), "load");
    thread.setDaemon(true);
    thread.start();
    return load;
  }

  private void play(LiveReplay replay) {
    try {
      outcome.complete(replay.run(arrivals, this::ticked));
    } catch (InterruptedException | RuntimeException e) {
      outcome.completeExceptionally(e);
    }
  }

  private void ticked(long passedNanos) {
    long heldUpNanos = passedNanos - tickedNanos;
    if (heldUpNanos > STALL_NANOS && tickedNanos > 0) {
      synchronized (stalls) {
        stalls.add(new Stall(tickedNanos, heldUpNanos));
      }
    }
    tickedNanos = passedNanos;
  }

  /** Since the load began, roughly. */
  long passedNanos() {
    return System.nanoTime() - startNanos;
  }

  /** Waits until this much of the load has passed. */
  void awaitNanos(long sinceStartNanos) throws InterruptedException {
    long leftNanos = sinceStartNanos - passedNanos();
    if (leftNanos > 0) {
      Pause.ofNanos(leftNanos);
    }
  }

  /** Ends the load where it is, and waits for the last answers. */
  Outcome end() throws InterruptedException {
    arrivals.end();
    return await();
  }

  /** Waits for its end, and for the last answers. */
  Outcome await() throws InterruptedException {
    try {
      return outcome.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load ended early", e.getCause());
    }
  }

  /** The longest of the stalls that touch an interval; 0 without. */
  long stalledNanos(long fromNanos, long untilNanos) {
    long longest = 0;
    synchronized (stalls) {
      for (Stall stall : stalls) {
        boolean touches =
            stall.atNanos() < untilNanos && stall.atNanos() + stall.lengthNanos() > fromNanos;
        longest = touches ? Math.max(longest, stall.lengthNanos()) : longest;
      }
    }
    return longest;
  }
}
