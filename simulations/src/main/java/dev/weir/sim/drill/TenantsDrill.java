package dev.weir.sim.drill;

import static dev.weir.sim.drill.Trial.say;

import dev.weir.sim.demo.Fleet;
import dev.weir.sim.demo.FleetException;
import dev.weir.sim.demo.Metrics;
import dev.weir.sim.demo.Ports;
import dev.weir.sim.live.AgentClient;
import dev.weir.sim.live.Question;
import dev.weir.sim.trace.Arrival;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code weir drill tenants}: very many tenants, each asks one agent once. What fits a floor needs
 * no coordinator: its requests must name no bucket.
 */
@Command(
    name = "tenants",
    description = "Asks one agent for very many tenants, once each: memory, time, messages.")
final class TenantsDrill implements Callable<Integer> {
  private static final int BATCH = 500;
  private static final int IN_FLIGHT = 4;
  private static final long ANSWER_SECONDS = 60;

  /** A new process' floors start empty (S8): these are full after less. */
  private static final long FLOORS_FILL_NANOS = 6_000_000_000L;

  /** Time for what the agent has to say to be said. */
  private static final long SYNCS_NANOS = 2_000_000_000L;

  @Mixin DrillOptions options = new DrillOptions();

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "${env:WEIR_KEYS:-1000000}",
      description = "How many tenants, at most 20,000,000. Default: 1000000.")
  int keys;

  @Override
  public Integer call() throws IOException, FleetException, InterruptedException {
    if (keys < 1 || keys > 20_000_000) {
      throw new IllegalArgumentException("--keys must be in [1, 20000000]");
    }
    Fleet.Tuning tuning =
        new Fleet.Tuning(false, Map.of("WEIR_KEYS_MAX", String.valueOf(Math.max(keys, 1_000_000))));
    try (Trial trial = Trial.open(DrillQuotas.TENANTS, 1, tuning, options)) {
      boolean good = run(trial, System.out);
      if (good) {
        trial.isGood();
      }
      return good ? 0 : 1;
    }
  }

  /** What an agent is and has done at one moment. */
  private record Reading(
      OptionalDouble requests,
      OptionalDouble buckets,
      OptionalDouble tracked,
      double heapMebibytes,
      double residentMebibytes) {}

  private boolean run(Trial trial, PrintStream out)
      throws IOException, FleetException, InterruptedException {
    Pause.ofNanos(FLOORS_FILL_NANOS);
    final Reading before = reading(trial);
    String region = trial.regions().get(0);
    URI url = trial.fleet().agentUrls().values().iterator().next();
    AgentClient agent =
        new AgentClient(trial.http(), url, new Question("drill", "tenant", Map.of()));
    long startNanos = System.nanoTime();
    long admitted = ask(agent, region);
    final double seconds = (System.nanoTime() - startNanos) / 1e9;
    Pause.ofNanos(SYNCS_NANOS);
    Reading after = reading(trial);
    trial.fleet().requireAlive();

    say(
        out,
        "%,d tenants asked once each, %,d admitted, in %.1f s (%,.0f/s, batches of %d, %d at a"
            + " time)",
        keys,
        admitted,
        seconds,
        keys / seconds,
        BATCH,
        IN_FLIGHT);
    say(
        out,
        "heap after a collection: %.0f MiB before, %.0f MiB after: %.0f bytes per tenant (its name"
            + " included)",
        before.heapMebibytes(),
        after.heapMebibytes(),
        (after.heapMebibytes() - before.heapMebibytes()) * 1024 * 1024 / keys);
    say(
        out,
        "resident: %.0f MiB before, %.0f MiB after; keys kept: %s",
        before.residentMebibytes(),
        after.residentMebibytes(),
        text(after.tracked()));
    boolean silent = sayWhatWasSent(before, after, out);
    say(out, "%s", Trial.machine());
    return silent && admitted == keys;
  }

  private static boolean sayWhatWasSent(Reading before, Reading after, PrintStream out) {
    if (before.buckets().isEmpty() || after.buckets().isEmpty()) {
      say(out, "the agent does not say how many buckets its requests named");
      return true;
    }
    double requests = after.requests().orElse(0) - before.requests().orElse(0);
    double buckets = after.buckets().getAsDouble() - before.buckets().getAsDouble();
    say(
        out,
        "requests to the coordinator meanwhile: %.0f (a keep-alive a second), naming %.0f buckets:"
            + " %s",
        requests,
        buckets,
        buckets == 0 ? "goal met" : "GOAL MISSED");
    return buckets == 0;
  }

  private long ask(AgentClient agent, String region) throws FleetException, InterruptedException {
    Semaphore free = new Semaphore(IN_FLIGHT);
    AtomicLong admitted = new AtomicLong();
    AtomicLong failed = new AtomicLong();
    for (int first = 0; first < keys; first += BATCH) {
      List<Arrival> batch = new ArrayList<>(BATCH);
      for (int i = first; i < Math.min(keys, first + BATCH); i++) {
        batch.add(new Arrival(0, region, "tenant-" + i, 1));
      }
      if (!free.tryAcquire(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        throw new FleetException("no answer within " + ANSWER_SECONDS + " s");
      }
      var unused =
          agent
              .decide(batch)
              .whenComplete(
                  (allowed, failure) -> {
                    if (failure == null) {
                      admitted.addAndGet(count(allowed));
                    } else {
                      failed.incrementAndGet();
                    }
                    free.release();
                  });
    }
    if (!free.tryAcquire(IN_FLIGHT, ANSWER_SECONDS, TimeUnit.SECONDS)) {
      throw new FleetException("no answer within " + ANSWER_SECONDS + " s");
    }
    if (failed.get() > 0) {
      throw new FleetException(failed.get() + " batches got no answer that can be read");
    }
    return admitted.get();
  }

  private static int count(boolean[] allowed) {
    int count = 0;
    for (boolean each : allowed) {
      count += each ? 1 : 0;
    }
    return count;
  }

  private static Reading reading(Trial trial)
      throws IOException, FleetException, InterruptedException {
    String region = trial.regions().get(0);
    long pid = trial.fleet().agent(region).pid();
    collect(pid);
    Metrics metrics = Metrics.of(trial.http(), Ports.url(trial.fleet().ports().agentAdmin(0)));
    return new Reading(
        metrics.sum("weir_sync_requests_total", ""),
        metrics.sum("weir_sync_buckets_total", ""),
        metrics.sum("weir_keys_tracked", ""),
        metrics.sum("jvm_memory_used_bytes", "area=\"heap\"").orElse(0) / (1024 * 1024),
        residentMebibytes(pid));
  }

  /** Has the agent collect its garbage, with the JDK's own tool. */
  private static void collect(long pid) throws IOException, FleetException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), String.valueOf(pid), "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new FleetException("jcmd does not end");
    }
  }

  private static double residentMebibytes(long pid) throws IOException {
    Path status = Path.of("/proc", String.valueOf(pid), "status");
    if (Files.exists(status)) {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("VmRSS:")) {
          return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
        }
      }
    }
    return Double.NaN;
  }

  private static String text(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%,.0f", value.getAsDouble()) : "unknown";
  }
}
