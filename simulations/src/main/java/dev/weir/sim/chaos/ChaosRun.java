package dev.weir.sim.chaos;

import dev.weir.core.Rules;
import dev.weir.sim.fleet.Chaos;
import dev.weir.sim.fleet.Chaos.Fault;
import dev.weir.sim.fleet.Chaos.Outcome;
import dev.weir.sim.fleet.Faults;
import dev.weir.sim.fleet.Sums;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Many seeds at once, up to the first that fails. Whichever thread is done first, the result is the
 * same: all seeds below the lowest that fails are played, and nothing above it counts.
 */
final class ChaosRun {
  private static final long SHOWN_EVERY_MILLIS = 100;

  private final long from;
  private final long seeds;
  private final Rules rules;
  private final AtomicLong next;
  private final AtomicLong lowestFailed = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong played = new AtomicLong();

  /** Outcomes that wait for those of lower seeds, so that sums are made in order. */
  private final TreeMap<Long, Outcome> waiting = new TreeMap<>();

  private final Faults faults = new Faults();
  private Sums sums = Sums.NONE;
  private long added;
  private @Nullable Outcome failure;

  /**
   * What came of the seeds.
   *
   * @param fleets how many seeds count: all, or those up to the first that failed
   * @param failure the lowest seed that failed; null where none did
   */
  record Result(long fleets, Sums sums, Faults faults, @Nullable Outcome failure) {}

  /** The seeds {@code from} to {@code from + seeds - 1}, by these rules. */
  ChaosRun(long from, long seeds, Rules rules) {
    this.from = from;
    this.seeds = seeds;
    this.rules = rules;
    this.next = new AtomicLong(from);
  }

  /** Everything that may go wrong. */
  static Set<Fault> everything() {
    return EnumSet.allOf(Fault.class);
  }

  /**
   * Plays the seeds.
   *
   * @param progress told now and then how many were played
   */
  Result play(int threads, LongConsumer progress) throws InterruptedException {
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        ends.add(workers.submit(this::work));
      }
      for (Future<?> end : ends) {
        await(end, progress);
      }
    } finally {
      workers.shutdownNow();
    }
    return result();
  }

  private void await(Future<?> end, LongConsumer progress) throws InterruptedException {
    while (true) {
      try {
        end.get(SHOWN_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        progress.accept(played.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }
  }

  private void work() {
    while (true) {
      long seed = next.getAndIncrement();
      if (seed >= from + seeds || seed > lowestFailed.get()) {
        return;
      }
      Outcome outcome = Chaos.run(seed, rules, everything());
      if (!outcome.held()) {
        lowestFailed.accumulateAndGet(seed, Math::min);
      }
      played.incrementAndGet();
      take(outcome);
    }
  }

  private synchronized void take(Outcome outcome) {
    waiting.put(outcome.seed(), outcome);
    while (failure == null && !waiting.isEmpty() && waiting.firstKey() == from + added) {
      Outcome first = waiting.pollFirstEntry().getValue();
      sums = sums.then(first.sums());
      faults.add(first.faults());
      added++;
      if (!first.held()) {
        failure = first;
      }
    }
  }

  private synchronized Result result() {
    return new Result(added, sums, faults, failure);
  }
}
