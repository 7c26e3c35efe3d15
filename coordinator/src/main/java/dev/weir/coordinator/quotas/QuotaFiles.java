package dev.weir.coordinator.quotas;

import dev.weir.config.ConfigProblem;
import dev.weir.config.QuotaFile;
import dev.weir.config.QuotaFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches a quota file, or a folder of them, by reading it again and again: what counts is the
 * text, however it came there (written, renamed, a link that points elsewhere, another host). A
 * text counts once it has been read twice the same, so that a file half written is not taken for a
 * whole one that says less.
 */
final class QuotaFiles implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaFiles.class);
  private static final long BYTES_MAX = 16 << 20;

  private final Path path;
  private final Consumer<Reading> changed;
  private final ScheduledExecutorService thread;
  private final Future<?> watching;
  private @Nullable Reading last;
  private Reading told;

  /**
   * What the files said at one moment.
   *
   * @param sources the texts
   * @param problems why a text could not be read
   */
  record Reading(List<QuotaFile.Source> sources, List<ConfigProblem> problems) {
    Reading {
      sources = List.copyOf(sources);
      problems = List.copyOf(problems);
    }
  }

  /**
   * Watches.
   *
   * @param known what was read before, and need not be told
   * @param changed told of every new reading, on the watcher's thread
   */
  QuotaFiles(Path path, Reading known, Duration period, Consumer<Reading> changed) {
    this.path = path;
    this.changed = changed;
    this.told = known;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread watcher = new Thread(task, "weir-files");
              watcher.setDaemon(true);
              return watcher;
            });
    this.watching =
        thread.scheduleWithFixedDelay(
            this::look, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Reads the files now. */
  static Reading read(Path path) {
    List<QuotaFile.Source> sources = new ArrayList<>();
    List<ConfigProblem> problems = new ArrayList<>();
    try {
      for (Path file : QuotaFolder.list(path)) {
        read(file, sources, problems);
      }
    } catch (IOException failed) {
      problems.add(problem(path, failed));
    }
    return new Reading(sources, problems);
  }

  private static void read(
      Path file, List<QuotaFile.Source> sources, List<ConfigProblem> problems) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new IOException("larger than " + BYTES_MAX + " bytes");
      }
      sources.add(new QuotaFile.Source(file.toString(), Files.readString(file)));
    } catch (IOException failed) {
      problems.add(problem(file, failed));
    }
  }

  private static ConfigProblem problem(Path file, IOException failed) {
    String why =
        failed instanceof NoSuchFileException
            ? "no such file"
            : failed instanceof AccessDeniedException
                ? "may not be read"
                : failed instanceof CharacterCodingException
                    ? "is not UTF-8"
                    : "cannot be read: " + failed.getMessage();
    return new ConfigProblem(file.toString(), 0, 0, why, null);
  }

  private void look() {
    try {
      Reading now = read(path);
      boolean twice = now.equals(last);
      last = now;
      if (twice && !now.equals(told)) {
        told = now;
        changed.accept(now);
      }
    } catch (RuntimeException bug) {
      LOG.error("looking at {} failed", path, bug);
    }
  }

  @Override
  public void close() {
    watching.cancel(false);
    thread.shutdown();
  }
}
