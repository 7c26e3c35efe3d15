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
record RunFolder(Path top) {

  static RunFolder create(String name) throws IOException {
    RunFolder folder = new RunFolder(Files.createTempDirectory("weir-" + name + "-"));
    for (Path each : List.of(folder.quotas(), folder.logs(), folder.audit())) {
      Files.createDirectories(each);
    }
    return folder;
  }

  Path run() {
    return top.resolve("run");
  }

  Path quotas() {
    return run().resolve("quotas");
  }

  Path logs() {
    return run().resolve("log");
  }

  Path audit() {
    return run().resolve("audit");
  }

  Path auditOf(String region) {
    return audit().resolve(region + ".csv");
  }

  /** Deletes what the processes left, and the folder itself if nothing else is in it. */
  void clean() {
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
