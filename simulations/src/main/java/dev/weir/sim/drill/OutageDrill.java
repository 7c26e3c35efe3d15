package dev.weir.sim.drill;

import static dev.weir.sim.drill.Trial.say;

import dev.weir.sim.demo.Fleet;
import dev.weir.sim.demo.FleetException;
import dev.weir.sim.judge.Admitted;
import dev.weir.sim.judge.AuditLog;
import dev.weir.sim.live.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code weir drill outage}: the coordinator is killed under load and started again on its folder;
 * what is admitted before, during and after? It is normal again from the first admission on from
 * which, for a second, admissions are never more than 50 ms behind 95 % of what they were before.
 */
@Command(
    name = "outage",
    description = "Kills the coordinator under load, and starts it again on its data folder.")
final class OutageDrill implements Callable<Integer> {
  private static final double CONTENTION = 1.5;
  private static final double PART = 0.95;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long WARM_UP_NANOS = 10 * SECOND_NANOS;
  private static final long BEFORE_NANOS = 10 * SECOND_NANOS;
  private static final long AFTER_NANOS = 40 * SECOND_NANOS;
  private static final long ROW_NANOS = 5 * SECOND_NANOS;
  private static final double SLACK_SECONDS = 0.05;

  @Mixin DrillOptions options = new DrillOptions();

  @Option(
      names = "--away",
      paramLabel = "TIME",
      converter = Length.class,
      defaultValue = "${env:WEIR_AWAY:-60s}",
      description = "How long the coordinator stays away, at most 30min. Default: 60s.")
  Duration away = Duration.ZERO;

  @Option(
      names = "--slow",
      defaultValue = "${env:WEIR_SLOW:-false}",
      description = "Instead: a quota of 1000 a day, half spent; what is left afterwards?")
  boolean slow;

  @Override
  public Integer call() throws IOException, FleetException, InterruptedException {
    if (away.toMillis() < 100 || away.toMillis() > 1_800_000) {
      throw new IllegalArgumentException("--away must be in [100ms, 30min]");
    }
    if (slow) {
      try (Trial trial = Trial.open(DrillQuotas.SLOW, 3, Fleet.Tuning.AUDITED, options)) {
        return new SlowOutage(trial, away.toNanos()).run(System.out) ? 0 : 1;
      }
    }
    try (Trial trial = Trial.open(DrillQuotas.SHARED, 3, Fleet.Tuning.AUDITED, options)) {
      return run(trial, System.out) ? 0 : 1;
    }
  }

  /** When what happened, on the machine's monotonic clock. */
  private record Times(long killed, long restarted, long ready) {}

  private boolean run(Trial trial, PrintStream out)
      throws IOException, FleetException, InterruptedException {
    List<String> regions = trial.regions();
    long endNanos = WARM_UP_NANOS + BEFORE_NANOS + away.toNanos() + 2 * AFTER_NANOS;
    double rate = trial.tokensPerSecond();
    say(System.err, "about %.0f s ...", (endNanos - AFTER_NANOS) / 1e9);
    Load load =
        trial.load(
            new EvenLoad(
                CONTENTION * rate,
                endNanos,
                (atNanos, number) -> regions.get((int) (number % regions.size()))));
    load.awaitNanos(WARM_UP_NANOS + BEFORE_NANOS);
    long killedNanos = System.nanoTime();
    trial.fleet().killCoordinator();
    Pause.ofNanos(away.toNanos());
    long restartedNanos = System.nanoTime();
    trial.fleet().restartCoordinator();
    Times times = new Times(killedNanos, restartedNanos, System.nanoTime());
    Pause.ofNanos(AFTER_NANOS);
    Outcome outcome = load.end();
    trial.fleet().requireAlive();
    trial.fleet().stopAgents();

    AuditLog log = trial.audit();
    show(log.admitted(trial.bucket()), times, outcome, out);
    say(
        out,
        "asked %,.0f/s of a quota of %,.0f/s; %s; sent up to %.0f ms late",
        CONTENTION * rate,
        rate,
        Trial.machine(),
        outcome.lateNanosMax() / 1e6);
    return trial.judge(log, out);
  }

  private static void show(List<Admitted> admitted, Times times, Outcome outcome, PrintStream out) {
    long endNanos = outcome.startNanos() + outcome.lengthNanos();
    double before = perSecond(admitted, times.killed() - BEFORE_NANOS, times.killed());
    say(out, "%14s %14s", "since the kill", "admitted/s");
    for (long from = times.killed() - BEFORE_NANOS; from < endNanos; from += ROW_NANOS) {
      say(
          out,
          "%12.0f s %14.0f %s",
          (from - times.killed()) / 1e9,
          perSecond(admitted, from, Math.min(endNanos, from + ROW_NANOS)),
          isIn(times.restarted(), from)
              ? String.format(
                  "<- started again, ready after %.1f s", (times.ready() - times.restarted()) / 1e9)
              : "");
    }
    CatchUp catchUp = new CatchUp(PART * before, SECOND_NANOS, SLACK_SECONDS * before);
    OptionalLong normal = catchUp.reachedNanos(admitted, times.restarted(), endNanos, 0);
    say(out, "before: %.0f/s; during: %.0f/s", before, during(admitted, times));
    say(
        out,
        "after: %s",
        normal.isPresent()
            ? String.format(
                "95 %% of that %.1f s after the start, and then %.0f/s",
                normal.getAsLong() / 1e9,
                perSecond(admitted, times.restarted() + normal.getAsLong(), endNanos))
            : "NOT NORMAL AGAIN within the drill");
  }

  private static double during(List<Admitted> admitted, Times times) {
    return perSecond(admitted, times.killed(), times.restarted());
  }

  private static boolean isIn(long instant, long from) {
    return instant - from >= 0 && instant - from < ROW_NANOS;
  }

  private static double perSecond(List<Admitted> admitted, long fromNanos, long untilNanos) {
    return CatchUp.tokens(admitted, fromNanos, untilNanos) * 1e9 / (untilNanos - fromNanos);
  }
}
