package dev.weir.sim.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fresh temporary folder: the report at its top, and below {@code run} all that the processes
 * read and write.
 *
 * @param top the folder itself
 */
public record RunFolder(Path top) {

  /** Creates it where temporary files are. */
  public static RunFolder create(String name) throws IOException {
    RunFolder folder = new RunFolder(Files.createTempDirectory("weir-" + name + "-"));
    for (Path each : List.of(folder.quotas(), folder.logs(), folder.audit())) {
      Files.createDirectories(each);
    }
    return folder;
  }

  /** What the processes read and write. */
  public Path run() {
    return top.resolve("run");
  }

  /** Quota files. */
  public Path quotas() {
    return run().resolve("quotas");
  }

  /** What processes say. */
  public Path logs() {
    return run().resolve("log");
  }

  /** What agents admitted. */
  public Path audit() {
    return run().resolve("audit");
  }

  /** What the first run of a region's agent admitted. */
  public Path auditOf(String region) {
    return auditOf(region, 0);
  }

  /**
   * What one run of a region's agent admitted: an agent empties its file when it starts.
   *
   * @param restarts how many runs there were before
   */
  public Path auditOf(String region, int restarts) {
    return audit().resolve(region + (restarts == 0 ? "" : "-" + restarts) + ".csv");
  }

  /** Deletes what the processes left, and the folder itself if nothing else is in it. */
  public void clean() {
    delete(run());
    try {
      Files.deleteIfExists(top);
    } catch (IOException e) {
      // A report is in it: it stays.
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      System.err.println("weir: could not delete " + folder + ": " + e.getMessage());
    }
  }
}
