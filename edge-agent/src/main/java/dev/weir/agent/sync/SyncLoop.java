package dev.weir.agent.sync;

import dev.weir.config.SyncSettings;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.lease.Edge;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.BucketId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that drives an {@link Edge}: it turns time, dry buckets and replies into calls on
 * it, and sends what it returns. No decision ever waits for it.
 *
 * <p>Methods may be called from any thread.
 */
public final class SyncLoop {
  private static final Logger LOG = LoggerFactory.getLogger(SyncLoop.class);

  /** Decisions that may wait for a first lease at once; beyond it they are refused. */
  private static final int WAITING_MAX = 10_000;

  private final Conversation conversation;
  private final Transport transport;
  private final Clocks clocks;
  private final Thread thread;

  private final Queue<Wanted> wanted = new ConcurrentLinkedQueue<>();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Whether a dry bucket wakes the thread. Otherwise it will look by itself soon enough. */
  private volatile boolean wakesForWants;

  private volatile SyncStatus status;
  private volatile int waitingCount;

  // Of the thread alone.
  private final List<Waiting> waiting = new ArrayList<>();
  private long wantsFromNanos;
  private long leaveUntilNanos;
  private int leaveTries;
  private boolean leaving;
  private boolean running = true;

  /**
   * A bucket that is dry or low.
   *
   * @param taken run before it is looked at: from then on it may be wanted again
   */
  private record Wanted(BucketId id, HotBucket bucket, long costMicros, Runnable taken) {}

  /**
   * Makes a loop that does nothing yet.
   *
   * @param coordinators {@code http://host:port}, at least one
   * @param dice numbers in {@code [0, 1)}, for jitter
   */
  public SyncLoop(
      List<String> coordinators,
      SyncSettings settings,
      Boots boots,
      Clocks clocks,
      DoubleSupplier dice) {
    this.clocks = clocks;
    this.transport = new HttpTransport(coordinators, settings.timeoutNanos());
    this.leaveTries = coordinators.size();
    this.conversation =
        new Conversation(transport, coordinators.size(), settings, boots, this::put, dice);
    this.status = conversation.status();
    this.thread = new Thread(this::run, "weir-sync");
    thread.setDaemon(true);
  }

  /**
   * Begins the first boot and starts the thread.
   *
   * @throws IOException if the boot's number could not be written down
   */
  public void start() throws IOException {
    conversation.start(clocks.nanos().getAsLong());
    status = conversation.status();
    wantsFromNanos = clocks.nanos().getAsLong();
    thread.start();
  }

  /**
   * Makes it known that a bucket is dry or low.
   *
   * @param costMicros of the request that showed it
   * @param taken run on the loop's thread before the bucket is looked at; until then the caller
   *     need not say it again
   */
  public void want(BucketId id, HotBucket bucket, long costMicros, Runnable taken) {
    wanted.add(new Wanted(id, bucket, costMicros, taken));
    if (wakesForWants) {
      wakesForWants = false;
      LockSupport.unpark(thread);
    }
  }

  /** Adds a decision that waits; returns false where too many do already. */
  public boolean add(Waiting decision) {
    if (waitingCount >= WAITING_MAX) {
      return false;
    }
    run(() -> waiting.add(decision));
    return true;
  }

  /** Runs a question on the loop's thread; null stands for the edge between two boots. */
  public <T> CompletableFuture<T> ask(Function<@Nullable Edge, T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    run(
        () -> {
          try {
            answer.complete(question.apply(conversation.edge()));
          } catch (RuntimeException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  /** What became of requests to the coordinator. */
  public Refreshes refreshes() {
    return conversation.refreshes();
  }

  /** How things stand. */
  public SyncStatus status() {
    return status;
  }

  /**
   * Gives everything back and ends: waits for the coordinator to have heard of it, but not longer
   * than {@code waitNanos}. Decisions that wait are let go.
   */
  public void stop(long waitNanos) {
    run(
        () -> {
          long nowNanos = clocks.nanos().getAsLong();
          leaveUntilNanos = nowNanos + waitNanos;
          leaving = conversation.leave(nowNanos);
          running = leaving;
        });
    try {
      // The loop ends by itself in time; this is for one that hangs.
      if (!stopped.await(2 * waitNanos + Nanos.SECOND_NANOS, TimeUnit.NANOSECONDS)) {
        LOG.warn("the sync thread does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    transport.close();
  }

  private void put(long sendNumber, Reply reply) {
    run(() -> reply(sendNumber, reply));
  }

  private void run(Runnable task) {
    tasks.add(task);
    LockSupport.unpark(thread);
  }

  // ------------------------------------------------------------------------------ the thread

  private void run() {
    try {
      while (running) {
        long nextNanos = turn();
        status = conversation.status();
        long restNanos = nextNanos - clocks.nanos().getAsLong();
        if (running && tasks.isEmpty() && restNanos > 0) {
          LockSupport.parkNanos(this, restNanos);
        }
      }
    } catch (RuntimeException | Error e) {
      LOG.error("the sync thread has died: leases will run out", e);
      throw e;
    } finally {
      letGo();
      stopped.countDown();
    }
  }

  private long turn() {
    wakesForWants = false;
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    // Only now: the tasks may have taken a while.
    Clocks.Reading now = clocks.read();
    long nowNanos = now.nowNanos();
    if (leaving) {
      running &= conversation.isOut() && !Nanos.hasReached(nowNanos, leaveUntilNanos);
      return leaveUntilNanos;
    }
    boolean listens = conversation.wantsToHearAt(nowNanos);
    if (listens && Nanos.hasReached(nowNanos, wantsFromNanos) && takeWants(nowNanos)) {
      wantsFromNanos = nowNanos + Edge.AT_ONCE_NANOS;
    }
    long nextNanos = conversation.step(nowNanos, now.wallNanos());
    nextNanos = Nanos.earlier(nextNanos, look(nowNanos, nextNanos));
    if (conversation.wantsToHearAt(nowNanos)) {
      if (!Nanos.hasReached(nowNanos, wantsFromNanos)) {
        return Nanos.earlier(nextNanos, wantsFromNanos);
      }
      wakesForWants = true;
      // One that came before the flag was up has woken nobody.
      return wanted.isEmpty() ? nextNanos : nowNanos;
    }
    return nextNanos;
  }

  private boolean takeWants(long nowNanos) {
    boolean any = false;
    for (Wanted dry = wanted.poll(); dry != null; dry = wanted.poll()) {
      dry.taken.run();
      conversation.want(dry.id, dry.bucket, dry.costMicros, nowNanos);
      any = true;
    }
    return any;
  }

  private void reply(long sendNumber, Reply reply) {
    Clocks.Reading now = clocks.read();
    conversation.on(sendNumber, reply, now.nowNanos(), now.wallNanos());
    if (leaving && !(reply instanceof Reply.Answered) && --leaveTries > 0) {
      conversation.leaveAgain(now.nowNanos());
    }
  }

  /** Looks again at the decisions that wait; returns when the next of them has waited enough. */
  private long look(long nowNanos, long nextNanos) {
    long earliestNanos = nextNanos;
    if (!waiting.isEmpty()) {
      waiting.removeIf(decision -> decision.isOverAt(nowNanos));
      for (Waiting decision : waiting) {
        earliestNanos = Nanos.earlier(earliestNanos, decision.deadlineNanos());
      }
    }
    waitingCount = waiting.size();
    return earliestNanos;
  }

  /** Nobody will look any more: what waits has waited enough. */
  private void letGo() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    for (Waiting decision : waiting) {
      boolean unused = decision.isOverAt(decision.deadlineNanos());
    }
    waiting.clear();
  }
}
