package dev.weir.sim.drill;

import static dev.weir.sim.drill.Trial.say;

import dev.weir.core.quota.Tokens;
import dev.weir.sim.demo.Fleet;
import dev.weir.sim.demo.FleetException;
import dev.weir.sim.judge.Admitted;
import dev.weir.sim.judge.AuditLog;
import dev.weir.sim.live.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code weir drill restarts}: one of three agents is killed under load and started again on its
 * data folder, again and again; nothing may be admitted twice.
 */
@Command(
    name = "restarts",
    description = "Kills one of three agents under load and starts it again, many times.")
final class RestartsDrill implements Callable<Integer> {
  private static final double CONTENTION = 1.5;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long WARM_UP_NANOS = 10 * SECOND_NANOS;
  private static final long BETWEEN_NANOS = 4 * SECOND_NANOS;
  private static final long LENGTH_NANOS_MAX = 3600 * SECOND_NANOS;

  @Mixin DrillOptions options = new DrillOptions();

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "${env:WEIR_TIMES:-10}",
      description = "How often, at most 100. Default: 10.")
  int times;

  /** One run of the agent: when it was killed, and when the next one was ready. */
  private record End(long killedNanos, long readyNanos) {}

  @Override
  public Integer call() throws IOException, FleetException, InterruptedException {
    if (times < 1 || times > 100) {
      throw new IllegalArgumentException("--times must be in [1, 100]");
    }
    try (Trial trial = Trial.open(DrillQuotas.SHARED, 3, Fleet.Tuning.AUDITED, options)) {
      return run(trial, System.out) ? 0 : 1;
    }
  }

  private boolean run(Trial trial, PrintStream out)
      throws IOException, FleetException, InterruptedException {
    List<String> regions = trial.regions();
    String victim = regions.get(0);
    double rate = trial.tokensPerSecond();
    Load load =
        trial.load(
            new EvenLoad(
                CONTENTION * rate,
                LENGTH_NANOS_MAX,
                (atNanos, number) -> regions.get((int) (number % regions.size()))));
    load.awaitNanos(WARM_UP_NANOS);
    List<End> ends = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      say(System.err, "kill %d of %d ...", i + 1, times);
      long killedNanos = System.nanoTime();
      trial.fleet().agent(victim).kill();
      trial.fleet().restartAgent(victim);
      ends.add(new End(killedNanos, System.nanoTime()));
      Pause.ofNanos(BETWEEN_NANOS);
    }
    Outcome outcome = load.end();
    trial.fleet().requireAlive();
    trial.fleet().stopAgents();

    AuditLog log = trial.audit();
    show(trial, victim, ends, log, outcome, out);
    say(
        out,
        "asked %,.0f/s of a quota of %,.0f/s; %s; sent up to %.0f ms late",
        CONTENTION * rate,
        rate,
        Trial.machine(),
        outcome.lateNanosMax() / 1e6);
    return trial.judge(log, out);
  }

  private void show(
      Trial trial, String victim, List<End> ends, AuditLog log, Outcome outcome, PrintStream out)
      throws IOException, FleetException {
    say(
        out,
        "%4s %12s %22s %16s %16s",
        "kill",
        "ready after",
        "first admission after",
        victim + "/s",
        "all regions/s");
    LostLines lines = new LostLines(outcome, victim);
    long lost = 0;
    List<Admitted> before = trial.admittedBy(victim, 0);
    long fromNanos = outcome.startNanos();
    for (int i = 0; i < ends.size(); i++) {
      End end = ends.get(i);
      for (Admitted missing : lines.missing(before, fromNanos, end.killedNanos())) {
        log.add(trial.bucket(), missing.atNanos(), missing.costMicros());
        lost += missing.costMicros();
      }
      List<Admitted> next = trial.admittedBy(victim, i + 1);
      long untilNanos =
          i + 1 < ends.size()
              ? ends.get(i + 1).killedNanos()
              : outcome.startNanos() + outcome.lengthNanos();
      double seconds = (untilNanos - end.readyNanos()) / 1e9;
      say(
          out,
          "%4d %10.1f s %20s %16.0f %16.0f",
          i + 1,
          (end.readyNanos() - end.killedNanos()) / 1e9,
          next.isEmpty()
              ? "none"
              : String.format("%.1f s", (next.get(0).atNanos() - end.killedNanos()) / 1e9),
          CatchUp.tokens(next, end.readyNanos(), untilNanos) / seconds,
          CatchUp.tokens(log.admitted(trial.bucket()), end.readyNanos(), untilNanos) / seconds);
      before = next;
      fromNanos = end.killedNanos();
    }
    say(
        out,
        "%s tokens were answered and not yet written down when an agent was killed; they are"
            + " judged as of when they were asked for",
        Tokens.text(lost));
  }
}
