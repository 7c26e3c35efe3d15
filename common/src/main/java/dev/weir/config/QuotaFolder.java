package dev.weir.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Quota files on disk: one, or a folder of them. */
public final class QuotaFolder {
  private QuotaFolder() {}

  /**
   * Returns the quota files of a path: itself, if it is a file, else those in it that end in {@code
   * .yaml}, {@code .yml} or {@code .json} and do not begin with a dot, in the order of their names.
   * Links are followed; one that leads nowhere is listed, so that reading it finds the problem.
   *
   * @throws IOException if the path does not exist or cannot be listed
   */
  public static List<Path> list(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString());
      }
      return List.of(path);
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.filter(QuotaFolder::isQuotaFile).sorted().toList();
    }
  }

  /** Reads all quota files of a path; a file that cannot be read is a problem like any other. */
  public static QuotaFile.Outcome read(Path path) {
    return read(List.of(path));
  }

  /** Reads all quota files of several paths as one. */
  public static QuotaFile.Outcome read(List<Path> paths) {
    Problems problems = new Problems();
    List<QuotaFile.Source> sources = new ArrayList<>();
    for (Path path : paths) {
      try {
        for (Path file : list(path)) {
          String text = TextFile.read(file, problems);
          if (text != null) {
            sources.add(new QuotaFile.Source(file.toString(), text));
          }
        }
      } catch (IOException failed) {
        problems.error(Place.of(path.toString()), TextFile.reason(failed));
      }
    }
    return QuotaFile.read(sources, problems);
  }

  private static boolean isQuotaFile(Path path) {
    String name = path.getFileName().toString();
    return !name.startsWith(".")
        && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"))
        && (Files.isRegularFile(path) || !Files.exists(path));
  }
}
