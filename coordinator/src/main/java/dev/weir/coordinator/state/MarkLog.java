package dev.weir.coordinator.state;

import dev.weir.coordinator.state.MarkBatches.Entry;
import dev.weir.core.lease.Mark;
import dev.weir.core.quota.BucketId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The low-water marks of slow buckets, on disk (S9).
 *
 * <p>Marks that come while one write is under way share the next one: one fsync for many. After a
 * failed write nothing is known of the file's end, so the next one writes a new file. A mark that
 * could not be written stays owed: {@link #durable} does not complete for its bucket before it is
 * on disk. All methods may be called from any thread; none blocks but {@link #close}.
 */
public final class MarkLog implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MarkLog.class);
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);
  private static final long REWRITE_BYTES_MIN = 1 << 20;
  private static final int REWRITE_TIMES = 4;

  private final MarkFile file;
  private final Thread writer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();

  private final Map<BucketId, Mark> marks;
  private Round next = new Round();
  private @Nullable Round current;
  private final Map<BucketId, Entry> owed = new HashMap<>();
  private long seq;
  private long bytes;
  private long liveBytes;
  private boolean rewrite;
  private boolean closed;
  private @Nullable String problem;

  /** What is written together. */
  private static final class Round {
    private final Map<BucketId, Entry> entries = new HashMap<>();

    /**
     * Marks forgotten and then made anew: numbers begin anew as well, and the old one is larger.
     */
    private final Map<BucketId, Entry> forgotten = new HashMap<>();

    private final CompletableFuture<Void> written = new CompletableFuture<>();

    void add(Entry entry) {
      Entry before = entries.put(entry.bucket(), entry);
      if (before != null && before.levelMicros() == null) {
        forgotten.merge(
            entry.bucket(), before, (one, other) -> one.number() > other.number() ? one : other);
      }
    }

    List<Entry> inOrder() {
      List<Entry> all = new ArrayList<>(forgotten.values());
      all.addAll(entries.values());
      return all;
    }
  }

  private MarkLog(MarkFile file, Map<BucketId, Mark> marks, long seq, boolean rewrite) {
    this.file = file;
    this.marks = marks;
    this.seq = seq;
    this.rewrite = rewrite;
    this.writer = new Thread(this::writeRounds, "weir-marks");
    this.writer.setDaemon(true);
  }

  /**
   * Makes a log without marks, in the place of any there was.
   *
   * @throws IOException if it cannot be written
   */
  static void create(Path path) throws IOException {
    Disk.replace(path, MarkBatches.encodeAll(1, List.of()));
  }

  /**
   * Opens the log. A torn end, which nobody was told of, is cut off.
   *
   * @throws DamagedStateException if it is missing, or what had been acknowledged cannot be read
   */
  public static MarkLog open(Path path) throws IOException {
    try {
      byte[] file = Files.readAllBytes(path);
      MarkBatches.Content content = MarkBatches.read(file, path);
      if (content.goodBytes() < file.length) {
        LOG.warn(
            "{} has a torn end of {} bytes, which is cut off: what a crash left half written, if the"
                + " disk is sound",
            path,
            file.length - content.goodBytes());
      }
      return open(MarkFile.at(path), content);
    } catch (NoSuchFileException gone) {
      throw new DamagedStateException(path, "it is missing");
    }
  }

  static MarkLog open(MarkFile file, MarkBatches.Content content) throws IOException {
    MarkLog log = new MarkLog(file, new HashMap<>(content.marks()), content.lastSeq(), true);
    // A new file at each start: it is short, and nothing torn stays before what comes next.
    log.write(List.of());
    log.writer.start();
    return log;
  }

  /** The newest mark of a bucket, or null; durable or about to be. */
  public @Nullable Mark mark(BucketId bucket) {
    lock.lock();
    try {
      return marks.get(bucket);
    } finally {
      lock.unlock();
    }
  }

  /** The buckets that have a mark. */
  public List<BucketId> buckets() {
    lock.lock();
    try {
      return List.copyOf(marks.keySet());
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

  /** Takes a mark; a number not above the bucket's newest changes nothing. */
  public void put(BucketId bucket, Mark mark) {
    put(new Entry(bucket, mark.number(), mark.levelMicros()));
  }

  /** Forgets a bucket's mark: it is full again. The number is above that of the mark. */
  public void forget(BucketId bucket, long number) {
    put(new Entry(bucket, number, null));
  }

  /**
   * Completes when every mark put so far for the bucket is on disk; exceptionally when that cannot
   * be done now. Asking again tries again.
   */
  public CompletableFuture<Void> durable(BucketId bucket) {
    lock.lock();
    try {
      Entry due = owed.remove(bucket);
      if (due != null) {
        next.entries.putIfAbsent(bucket, due);
        work.signal();
      }
      if (next.entries.containsKey(bucket)) {
        return next.written.copy();
      }
      Round writing = current;
      return writing != null && writing.entries.containsKey(bucket) ? writing.written.copy() : DONE;
    } finally {
      lock.unlock();
    }
  }

  private void put(Entry entry) {
    lock.lock();
    try {
      Mark known = marks.get(entry.bucket());
      if (known != null && known.number() >= entry.number()) {
        return;
      }
      MarkBatches.apply(entry, marks);
      owed.remove(entry.bucket());
      next.add(entry);
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  private void writeRounds() {
    for (Round round = nextRound(); round != null; round = nextRound()) {
      try {
        write(round.inOrder());
        settle(round, null);
      } catch (IOException failed) {
        settle(round, failed);
      }
    }
  }

  private @Nullable Round nextRound() {
    lock.lock();
    try {
      while (next.entries.isEmpty() && !closed) {
        work.awaitUninterruptibly();
      }
      if (next.entries.isEmpty()) {
        return null;
      }
      Round round = next;
      current = round;
      next = new Round();
      return round;
    } finally {
      lock.unlock();
    }
  }

  private void settle(Round round, @Nullable IOException failure) {
    lock.lock();
    try {
      current = null;
      if (failure == null) {
        if (problem != null) {
          LOG.info("marks can be written again");
        }
        problem = null;
      } else {
        if (problem == null) {
          LOG.error("marks cannot be written: {}", failure.toString());
        }
        problem = failure.toString();
        // What a newer round says of a bucket replaces what is owed.
        round.entries.forEach(
            (bucket, entry) -> {
              if (!next.entries.containsKey(bucket)) {
                owed.put(bucket, entry);
              }
            });
      }
    } finally {
      lock.unlock();
    }
    if (failure == null) {
      round.written.complete(null);
    } else {
      round.written.completeExceptionally(failure);
    }
  }

  /** Called by one thread at a time: at first by the one that opens, then by the writer. */
  private void write(List<Entry> entries) throws IOException {
    boolean whole = rewrite || (bytes > REWRITE_BYTES_MIN && bytes > REWRITE_TIMES * liveBytes);
    byte[] content =
        whole ? MarkBatches.encodeAll(seq + 1, all()) : MarkBatches.encode(seq + 1, entries);
    rewrite = true;
    if (whole) {
      file.replace(content);
      bytes = content.length;
      liveBytes = content.length;
      clearOwed();
    } else {
      file.append(content);
      bytes += content.length;
    }
    seq++;
    rewrite = false;
  }

  private List<Entry> all() {
    lock.lock();
    try {
      List<Entry> all = new ArrayList<>(marks.size());
      marks.forEach(
          (bucket, mark) -> all.add(new Entry(bucket, mark.number(), mark.levelMicros())));
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** A new file holds every mark, also those that could not be written before. */
  private void clearOwed() {
    lock.lock();
    try {
      owed.clear();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    lock.lock();
    try {
      closed = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    try {
      writer.join();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    file.close();
  }
}
