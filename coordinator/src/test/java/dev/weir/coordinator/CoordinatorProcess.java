package dev.weir.coordinator;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A coordinator in a process of its own. */
final class CoordinatorProcess implements AutoCloseable {
  private final Process process;
  private final Path errors;

  private CoordinatorProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  static CoordinatorProcess start(Site site, String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.weir.coordinator.CoordinatorMain",
                "--config",
                site.settings().toString()));
    command.addAll(List.of(options));
    Path errors = Files.createTempFile(site.folder, "stderr", ".log");
    return new CoordinatorProcess(
        new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
  }

  /** Waits for the ready line, and returns what answers there. */
  Http ready() throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    String line = lines.readLine();
    while (line != null && !line.contains(" ready on ")) {
      line = lines.readLine();
    }
    if (line == null) {
      throw new IOException("it ended: " + errors());
    }
    int from = line.indexOf("http://");
    return new Http(line.substring(from, line.indexOf(' ', from)));
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("it did not end");
    }
    return process.exitValue();
  }

  String errors() throws IOException {
    return Files.readString(errors);
  }

  /** As {@code kill -9}. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** As {@code kill -15}. */
  int end() throws InterruptedException {
    process.destroy();
    return exitCode();
  }

  @Override
  public void close() {
    kill();
  }
}
