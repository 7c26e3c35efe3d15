package dev.weir.sim.live;

import dev.weir.sim.live.Timeline.Count;
import dev.weir.sim.trace.Arrival;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Sends arrivals to agents when they are due, whether or not earlier ones have been answered (an
 * open loop: a slow agent must not slow the load that shows it). What is due within one tick goes
 * out as one batch per region. The oracle sees every arrival at the instant it is sent, in the
 * order it is due.
 */
public final class LiveReplay {
  private static final long TICK_NANOS = 5_000_000;
  private static final int BATCH_MAX = 200;
  private static final long LAST_ANSWERS_SECONDS = 10;

  private final Map<String, AgentClient> agents;
  private final Oracle oracle;
  private final Timeline timeline;
  private final Phaser inFlight = new Phaser(1);
  private final AtomicReference<String> firstError = new AtomicReference<>();

  /**
   * A replay against these agents.
   *
   * @param agents by region
   * @param timeline knows the same regions
   */
  public LiveReplay(Map<String, AgentClient> agents, Oracle oracle, Timeline timeline) {
    this.agents = agents;
    this.oracle = oracle;
    this.timeline = timeline;
  }

  /**
   * Plays the arrivals and waits for the last answer.
   *
   * @param progress told at each tick how much of the replay has passed, in nanoseconds
   * @throws InterruptedException if the thread is interrupted, at once
   */
  public Outcome run(Iterator<Arrival> arrivals, LongConsumer progress)
      throws InterruptedException {
    long startNanos = System.nanoTime();
    long lateNanosMax = 0;
    Arrival next = arrivals.hasNext() ? arrivals.next() : null;
    while (next != null) {
      long nowNanos = System.nanoTime() - startNanos;
      Map<String, Batch> batches = new LinkedHashMap<>();
      for (; next != null && next.atNanos() <= nowNanos; ) {
        lateNanosMax = Math.max(lateNanosMax, nowNanos - next.atNanos());
        add(batches, next, startNanos + nowNanos);
        next = arrivals.hasNext() ? arrivals.next() : null;
      }
      batches.values().forEach(this::send);
      progress.accept(nowNanos);
      if (next != null) {
        rest(startNanos + Math.max(next.atNanos(), nowNanos + TICK_NANOS));
      }
    }
    awaitAnswers();
    return new Outcome(
        timeline,
        startNanos,
        System.nanoTime() - startNanos,
        lateNanosMax,
        Optional.ofNullable(firstError.get()));
  }

  private void add(Map<String, Batch> batches, Arrival arrival, long nowNanos) {
    Batch batch = batches.computeIfAbsent(arrival.region(), region -> new Batch());
    boolean oracleAdmits = oracle.admits(arrival.key(), arrival.cost(), nowNanos);
    batch.arrivals.add(arrival);
    batch.oracleAdmits.add(oracleAdmits);
    count(arrival, Count.ASKED);
    if (oracleAdmits) {
      count(arrival, Count.ORACLE_ADMITTED);
    }
    if (batch.arrivals.size() == BATCH_MAX) {
      batches.remove(arrival.region());
      send(batch);
    }
  }

  private void send(Batch batch) {
    String region = batch.arrivals.get(0).region();
    AgentClient agent = agents.get(region);
    if (agent == null) {
      throw new IllegalArgumentException("no agent for region " + region);
    }
    inFlight.register();
    var unused =
        agent
            .decide(batch.arrivals)
            .whenComplete(
                (allowed, failure) -> {
                  if (failure == null) {
                    settle(batch, allowed);
                  } else {
                    fail(batch, failure);
                  }
                  inFlight.arriveAndDeregister();
                });
  }

  private void settle(Batch batch, boolean[] allowed) {
    for (int i = 0; i < allowed.length; i++) {
      Arrival arrival = batch.arrivals.get(i);
      count(arrival, allowed[i] ? Count.ADMITTED : Count.REFUSED);
      if (!allowed[i] && batch.oracleAdmits.get(i)) {
        count(arrival, Count.REFUSED_ALONE);
      }
    }
  }

  private void fail(Batch batch, Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    firstError.compareAndSet(null, String.valueOf(cause.getMessage()));
    for (Arrival arrival : batch.arrivals) {
      count(arrival, Count.UNANSWERED);
    }
  }

  private void count(Arrival arrival, Count count) {
    timeline.add(arrival.region(), count, arrival.atNanos(), arrival.cost());
  }

  private static void rest(long untilNanos) throws InterruptedException {
    for (long left = untilNanos - System.nanoTime();
        left > 0;
        left = untilNanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException("the replay was stopped");
      }
    }
  }

  private void awaitAnswers() throws InterruptedException {
    int phase = inFlight.arriveAndDeregister();
    try {
      inFlight.awaitAdvanceInterruptibly(phase, LAST_ANSWERS_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      firstError.compareAndSet(
          null, "the last answers did not come within " + LAST_ANSWERS_SECONDS + " s");
    }
  }

  /** What goes to one agent at once. */
  private static final class Batch {
    final List<Arrival> arrivals = new ArrayList<>();
    final List<Boolean> oracleAdmits = new ArrayList<>();
  }
}
