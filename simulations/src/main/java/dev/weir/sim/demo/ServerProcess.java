package dev.weir.sim.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server in a process of its own: its output goes to a log file, and its ready line tells when it
 * serves.
 */
public final class ServerProcess {
  private static final String READY = " ready on ";
  private static final int LOG_TAIL_LINES = 15;
  private static final long STOP_SECONDS = 10;

  private final String name;
  private final Path log;
  private final Process process;
  private final CompletableFuture<String> ready = new CompletableFuture<>();
  private final Thread pump;

  private ServerProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.pump = new Thread(this::copyOutput, name + "-log");
    pump.setDaemon(true);
    pump.start();
  }

  /**
   * Starts it; its output goes to {@code log}.
   *
   * @throws FleetException if there is no such command
   */
  public static ServerProcess start(
      String name, Path log, List<String> command, Map<String, String> environment)
      throws FleetException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Settings of the user's own servers, which every process takes from variables, are not ours.
    builder
        .environment()
        .keySet()
        .removeIf(variable -> variable.startsWith("WEIR_") && !variable.equals("WEIR_JAVA_OPTS"));
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      return new ServerProcess(name, log, process);
    } catch (IOException e) {
      throw new FleetException(name + " could not be started: " + e.getMessage());
    }
  }

  private void copyOutput() {
    try (BufferedReader output =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        Writer file = Files.newBufferedWriter(log)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        file.write(line);
        file.write('\n');
        file.flush();
        if (line.contains(READY)) {
          ready.complete(line);
        }
      }
      ready.completeExceptionally(new IOException("it ended"));
    } catch (IOException e) {
      ready.completeExceptionally(e);
    }
  }

  /**
   * Waits for the ready line; fails with the end of the log if the process ends before, or takes
   * too long.
   */
  public void awaitReady(Duration atMost) throws FleetException, InterruptedException {
    try {
      ready.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new FleetException(name + " did not start" + exitCode() + ":\n" + logTail());
    } catch (TimeoutException e) {
      throw new FleetException(
          name + " was not ready within " + atMost.toSeconds() + " s:\n" + logTail());
    }
  }

  /** Whether it still runs. */
  boolean isAlive() {
    return process.isAlive();
  }

  String name() {
    return name;
  }

  /** Asks it to stop, without waiting. */
  void askToStop() {
    process.destroy();
  }

  /** Its number in this system. */
  public long pid() {
    return process.pid();
  }

  /** Ends it as {@code kill -9} does, and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    pump.join(1000);
  }

  /** Stops it: asks first, kills it if that does not help, and waits for its last output. */
  public void stop() {
    process.destroy();
    boolean interrupted = false;
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      pump.join(1000);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  String logTail() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
    } catch (IOException | UncheckedIOException e) {
      return "(no log at " + log + ")";
    }
  }

  private String exitCode() {
    try {
      return process.waitFor(1, TimeUnit.SECONDS) ? " (exit code " + process.exitValue() + ")" : "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
