package dev.weir.coordinator.state;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the newest value there is, on a thread of its own: values that come during a write share
 * the next one, and of those only the last is written. Any thread; nothing waits but {@link
 * #close}.
 *
 * @param <T> what is written
 */
public final class LatestWriter<T> implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LatestWriter.class);

  private final String what;
  private final Sink<T> sink;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private @Nullable T next;
  private CompletableFuture<Void> nextWritten = new CompletableFuture<>();
  private @Nullable CompletableFuture<Void> writing;
  private @Nullable T unwritten;
  private @Nullable String problem;
  private boolean closed;

  /**
   * Where values go.
   *
   * @param <T> what is written
   */
  public interface Sink<T> {
    /** Writes a value; it is durable on return. */
    void write(T value) throws IOException;
  }

  /**
   * A writer.
   *
   * @param what what it writes, for the log
   */
  public LatestWriter(String what, Sink<T> sink) {
    this.what = what;
    this.sink = sink;
    this.thread = new Thread(this::run, "weir-" + what);
    this.thread.setDaemon(true);
    this.thread.start();
  }

  /** Takes a value, to be written instead of any that waits. */
  public void save(T value) {
    lock.lock();
    try {
      unwritten = null;
      next = value;
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Completes when every value taken so far, or a newer one, is written; exceptionally when that
   * failed. Asking again tries again.
   */
  public CompletableFuture<Void> settled() {
    lock.lock();
    try {
      if (next == null && unwritten != null) {
        next = unwritten;
        unwritten = null;
        work.signal();
      }
      if (next != null) {
        return nextWritten.copy();
      }
      return writing == null ? CompletableFuture.completedFuture(null) : writing.copy();
    } finally {
      lock.unlock();
    }
  }

  /** What went wrong with the last write; null when it went well. */
  public @Nullable String problem() {
    lock.lock();
    try {
      return problem;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    for (T value = take(); value != null; value = take()) {
      try {
        sink.write(value);
        written(value, null);
      } catch (IOException failed) {
        written(value, failed);
      }
    }
  }

  private @Nullable T take() {
    lock.lock();
    try {
      while (next == null && !closed) {
        work.awaitUninterruptibly();
      }
      T value = next;
      writing = nextWritten;
      next = null;
      nextWritten = new CompletableFuture<>();
      return value;
    } finally {
      lock.unlock();
    }
  }

  private void written(T value, @Nullable IOException failure) {
    CompletableFuture<Void> done;
    lock.lock();
    try {
      done = writing;
      writing = null;
      problem = failure == null ? null : failure.toString();
      if (failure != null && next == null) {
        unwritten = value;
      }
    } finally {
      lock.unlock();
    }
    if (done != null && failure == null) {
      done.complete(null);
    } else if (done != null && failure != null) {
      LOG.error("{} cannot be written: {}", what, failure.toString());
      done.completeExceptionally(failure);
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
