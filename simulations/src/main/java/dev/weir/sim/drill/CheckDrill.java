package dev.weir.sim.drill;

import static dev.weir.sim.drill.Trial.say;

import dev.weir.sim.demo.Fleet;
import dev.weir.sim.demo.FleetException;
import dev.weir.sim.demo.Ports;
import dev.weir.sim.demo.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code weir drill check}: how many requests a second one agent answers on one event loop, next to
 * a server that gives the same answer without deciding. Both run all the while and are measured in
 * turns, so that whoever else is on the machine disturbs both; and by processor time, which it
 * disturbs less.
 */
@Command(
    name = "check",
    description = "Requests per second on /v1/check, next to a server that does not decide.")
final class CheckDrill implements Callable<Integer> {
  private static final double GOAL = 0.9;
  private static final int WARM_UP_SECONDS = 5;

  @Mixin DrillOptions options = new DrillOptions();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "${env:WEIR_ROUNDS:-6}",
      description = "How often each is measured, at most 100. Default: 6.")
  int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "${env:WEIR_SECONDS:-4}",
      description = "How long each time, at most 60. Default: 4.")
  int seconds;

  /** One server in one round. */
  private record Score(double perSecond, double cpuMicros) {}

  @Override
  public Integer call() throws IOException, FleetException, InterruptedException {
    if (rounds < 1 || rounds > 100 || seconds < 1 || seconds > 60) {
      throw new IllegalArgumentException("--rounds must be in [1, 100], --seconds in [1, 60]");
    }
    Fleet.Tuning tuning = new Fleet.Tuning(false, Map.of("WEIR_EVENT_LOOPS", "1"));
    try (Trial trial = Trial.open(DrillQuotas.ABUNDANT, 1, tuning, options)) {
      run(trial, System.out);
      trial.isGood();
      return 0;
    }
  }

  private void run(Trial trial, PrintStream out)
      throws IOException, FleetException, InterruptedException {
    URI agent =
        Ports.url(trial.fleet().ports().agent(0))
            .resolve("/v1/check?domain=drill&d.api=public&d.tenant=acme");
    int port = trial.fleet().ports().agent(1);
    URI fixed = Ports.url(port).resolve(agent.getPath() + "?" + agent.getQuery());
    Answer answer = ask(trial, agent);
    Path file = trial.folder().resolve("answer.json");
    answer.write(file);
    ServerProcess server =
        ServerProcess.start(
            "fixed",
            trial.folder().resolve("log/fixed.log"),
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                FixedServer.class.getName(),
                String.valueOf(port),
                file.toString()),
            Map.of());
    try {
      server.awaitReady(Duration.ofSeconds(30));
      long agentPid = trial.fleet().agent(trial.regions().get(0)).pid();
      Score unused = measure(agent, agentPid, WARM_UP_SECONDS);
      unused = measure(fixed, server.pid(), WARM_UP_SECONDS);
      List<Score> deciding = new ArrayList<>();
      List<Score> answering = new ArrayList<>();
      say(out, "%5s %16s %16s %8s", "round", "agent/s", "fixed/s", "ratio");
      for (int i = 0; i < rounds; i++) {
        answering.add(measure(fixed, server.pid(), seconds));
        deciding.add(measure(agent, agentPid, seconds));
        sayRound(i, deciding.get(i), answering.get(i), out);
      }
      sum(deciding, answering, out);
    } finally {
      server.stop();
    }
  }

  private Answer ask(Trial trial, URI agent)
      throws IOException, FleetException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(agent).timeout(Duration.ofSeconds(10)).build();
    HttpResponse<String> response =
        trial.http().send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new FleetException(agent + " answered " + response.statusCode());
    }
    return Answer.of(response);
  }

  private static Score measure(URI url, long pid, int seconds)
      throws IOException, FleetException, InterruptedException {
    long before = cpuNanos(pid);
    Wrk.Seen seen = Wrk.run(url, seconds);
    return new Score(seen.perSecond(), (cpuNanos(pid) - before) / 1e3 / seen.requests());
  }

  private static long cpuNanos(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .map(Duration::toNanos)
        .orElse(0L);
  }

  private static void sayRound(int round, Score deciding, Score answering, PrintStream out) {
    say(
        out,
        "%5d %,8.0f (%4.1f µs) %,8.0f (%4.1f µs) %6.2f",
        round + 1,
        deciding.perSecond(),
        deciding.cpuMicros(),
        answering.perSecond(),
        answering.cpuMicros(),
        deciding.perSecond() / answering.perSecond());
  }

  private static void sum(List<Score> deciding, List<Score> answering, PrintStream out) {
    double ratio =
        median(deciding.stream().map(Score::perSecond).toList())
            / median(answering.stream().map(Score::perSecond).toList());
    double cpu =
        median(answering.stream().map(Score::cpuMicros).toList())
            / median(deciding.stream().map(Score::cpuMicros).toList());
    say(
        out,
        "median of requests a second: %.2f of the server that does not decide (goal %.2f): %s;"
            + " by processor time per request: %.2f",
        ratio,
        GOAL,
        ratio >= GOAL ? "goal met" : "GOAL MISSED",
        cpu);
    say(out, "64 connections, one event loop each; %s", Trial.machine());
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
