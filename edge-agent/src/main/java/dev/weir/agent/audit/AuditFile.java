package dev.weir.agent.audit;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line per admitted decision and quota: {@code nanos,domain/quota,key,costMicros}, the instant
 * as {@code System.nanoTime()} gave it to the decision, comparable between processes of one
 * machine. The key may hold commas; the other three fields never do. Lines of different threads may
 * be out of order.
 *
 * <p>A thread of its own writes, and flushes when it has caught up, at least each second. Where it
 * cannot keep up, {@link #admitted} waits for room: an audit with holes proves nothing, and whoever
 * turns it on has asked for proof rather than for speed. If the file cannot be written any more,
 * that is logged once, nothing more is recorded, and decisions go on.
 *
 * <p>Any thread may record. A line recorded after {@link #close} is lost.
 */
public final class AuditFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditFile.class);
  private static final int QUEUE_LINES = 1 << 16;
  private static final int BATCH_LINES = 4096;
  private static final long FLUSH_NANOS = 1_000_000_000L;
  private static final Line END = new Line(0, "", "", -1);

  private final BlockingQueue<Line> queue = new ArrayBlockingQueue<>(QUEUE_LINES);
  private final BufferedWriter out;
  private final Path path;
  private final Thread writer;
  private volatile boolean broken;

  private record Line(long nanos, String quota, String key, long costMicros) {}

  private AuditFile(Path path, BufferedWriter out) {
    this.path = path;
    this.out = out;
    this.writer = new Thread(this::write, "weir-audit");
    writer.setDaemon(true);
  }

  /**
   * Opens the file, empties it, and starts its thread. Folders on the way to it are made.
   *
   * @throws IOException if it cannot be written
   */
  public static AuditFile open(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    AuditFile file = new AuditFile(path, Files.newBufferedWriter(path, StandardCharsets.UTF_8));
    file.writer.start();
    return file;
  }

  /**
   * Records an admitted decision; waits where the writer is behind.
   *
   * @param quota as {@code domain/name}
   * @param key of the bucket; empty where the quota has one only
   */
  public void admitted(long nowNanos, String quota, String key, long costMicros) {
    put(new Line(nowNanos, quota, key, costMicros));
  }

  /** Writes what was recorded, and closes the file. */
  @Override
  public void close() {
    put(END);
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void put(Line line) {
    boolean interrupted = false;
    boolean done = false;
    while (!done && !broken) {
      try {
        // In turns, so that a writer that breaks meanwhile is noticed.
        done = queue.offer(line, 100, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void write() {
    try (out) {
      List<Line> lines = new ArrayList<>(BATCH_LINES);
      long flushedNanos = System.nanoTime();
      boolean open = true;
      while (open) {
        Line first = queue.poll(FLUSH_NANOS, TimeUnit.NANOSECONDS);
        if (first != null) {
          lines.add(first);
          queue.drainTo(lines, BATCH_LINES - 1);
          open = append(lines);
          lines.clear();
        }
        // What has been handed to the system outlives a kill of this process.
        if (queue.isEmpty() || System.nanoTime() - flushedNanos >= FLUSH_NANOS) {
          out.flush();
          flushedNanos = System.nanoTime();
        }
      }
    } catch (IOException e) {
      LOG.error("audit file {} cannot be written; nothing more is recorded", path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      broken = true;
    }
  }

  /** Returns whether more may follow. */
  private boolean append(List<Line> lines) throws IOException {
    StringBuilder text = new StringBuilder(64 * lines.size());
    for (Line line : lines) {
      if (line.costMicros < 0) { // END
        out.append(text);
        return false;
      }
      text.append(line.nanos).append(',').append(line.quota).append(',').append(line.key);
      text.append(',').append(line.costMicros).append('\n');
    }
    out.append(text);
    return true;
  }
}
