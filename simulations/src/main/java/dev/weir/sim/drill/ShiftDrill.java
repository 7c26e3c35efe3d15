package dev.weir.sim.drill;

import static dev.weir.sim.drill.Trial.say;

import dev.weir.sim.demo.Fleet;
import dev.weir.sim.demo.FleetException;
import dev.weir.sim.judge.Admitted;
import dev.weir.sim.live.Outcome;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code weir drill shift}: the whole load moves from one region to another, again and again; how
 * long until the new one admits 95 % of the quota, less the floors of the silent ones?
 *
 * <p>The time of a move counts from the instant the first request is due in the new region, to the
 * first admission there from which on, for 100 ms, admissions are never more than two batches (10
 * ms) behind 95 % of that rate; it may be too early by as much. The first tokens, as many as the
 * region's floor holds, do not count: they were there before the move.
 */
@Command(
    name = "shift",
    description = "Moves the whole load between regions: time to 95 %% of the quota, each time.")
final class ShiftDrill implements Callable<Integer> {
  private static final double CONTENTION = 1.5;
  private static final double PART = 0.95;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long WINDOW_NANOS = SECOND_NANOS / 10;
  private static final long BATCH_NANOS = SECOND_NANOS / 200;
  private static final long WARM_UP_NANOS = 10 * SECOND_NANOS;

  /** So long all regions are asked in turn: a process that was never asked is slow at first. */
  private static final long ALL_ASKED_NANOS = 7 * SECOND_NANOS;

  /** Goals of the project on loopback, with a sync every 100 ms: T + 30 ms and 2T + 50 ms. */
  private static final double MEAN_GOAL_MILLIS = 130;

  private static final double WORST_GOAL_MILLIS = 250;

  @Mixin DrillOptions options = new DrillOptions();

  @Option(
      names = "--moves",
      paramLabel = "N",
      defaultValue = "${env:WEIR_MOVES:-20}",
      description = "How often the load moves, at most 1000. Default: 20.")
  int moves;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = Length.class,
      defaultValue = "${env:WEIR_EVERY:-2s}",
      description = "How long it stays, and up to 200 ms more. Default: 2s.")
  Duration every = Duration.ZERO;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "${env:WEIR_SEED:-1}",
      description = "For where and when it moves. Default: 1.")
  long seed;

  /**
   * How one move came out.
   *
   * @param roomNanos from the move to the next
   * @param then part of the usable rate that was admitted once it was reached
   * @param stalledNanos the longest time the sender was held up meanwhile
   */
  private record Result(
      Moves.Move move, OptionalLong reached, long roomNanos, double then, long stalledNanos) {
    double millis() {
      return reached.orElse(roomNanos) / 1e6;
    }

    boolean wasOnTime() {
      return stalledNanos == 0;
    }
  }

  @Override
  public Integer call() throws IOException, FleetException, InterruptedException {
    if (moves < 1 || moves > 1000 || every.toMillis() < 500 || every.toMillis() > 60_000) {
      throw new IllegalArgumentException("--moves must be in [1, 1000], --every in [500ms, 1min]");
    }
    try (Trial trial = Trial.open(DrillQuotas.SHARED, 3, Fleet.Tuning.AUDITED, options)) {
      return run(trial, System.out) ? 0 : 1;
    }
  }

  private boolean run(Trial trial, PrintStream out)
      throws IOException, FleetException, InterruptedException {
    Moves plan =
        Moves.plan(
            trial.regions(),
            moves,
            WARM_UP_NANOS,
            every.toNanos(),
            SECOND_NANOS / 5,
            new Random(seed));
    long endNanos = plan.moves().get(moves - 1).atNanos() + every.toNanos();
    double rate = trial.tokensPerSecond();
    String before = Trial.machine();
    say(System.err, "%d moves in %.0f s ...", moves, endNanos / 1e9);
    Load load =
        trial.load(
            new EvenLoad(
                CONTENTION * rate,
                endNanos,
                (atNanos, number) ->
                    atNanos < ALL_ASKED_NANOS
                        ? trial.regions().get((int) (number % trial.regions().size()))
                        : plan.at(atNanos)));
    final Outcome outcome = load.await();
    trial.fleet().requireAlive();
    trial.fleet().stopAgents();

    double usable = rate - silentFloors(trial);
    List<Result> results = measure(trial, plan, load, outcome, endNanos, usable);
    show(results, usable, out);
    say(
        out,
        "asked %,.0f/s of a quota of %,.0f/s; %s before, %s after; sent up to %.0f ms late",
        CONTENTION * rate,
        rate,
        before,
        Trial.machine(),
        outcome.lateNanosMax() / 1e6);
    return trial.judge(trial.audit(), out);
  }

  private List<Result> measure(
      Trial trial, Moves plan, Load load, Outcome outcome, long endNanos, double usable)
      throws IOException, FleetException {
    Map<String, List<Admitted>> admitted = new HashMap<>();
    for (String region : trial.regions()) {
      admitted.put(region, trial.auditOf(region).admitted(trial.bucket()));
    }
    double slack = PART * usable * 2 * BATCH_NANOS / SECOND_NANOS;
    CatchUp catchUp = new CatchUp(PART * usable, WINDOW_NANOS, slack);
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < plan.moves().size(); i++) {
      Moves.Move move = plan.moves().get(i);
      List<Admitted> there = admitted.getOrDefault(move.to(), List.of());
      long fromNanos = outcome.startNanos() + move.atNanos();
      long untilNanos = outcome.startNanos() + plan.nextAfter(i, endNanos);
      OptionalLong reached =
          catchUp.reachedNanos(there, fromNanos, untilNanos, trial.floorBurstTokens(move.to()));
      long settledNanos = fromNanos + reached.orElse(0);
      double then =
          CatchUp.tokens(there, settledNanos, untilNanos) * 1e9 / (untilNanos - settledNanos);
      long stalledNanos =
          load.stalledNanos(move.atNanos(), move.atNanos() + reached.orElse(0) + WINDOW_NANOS);
      results.add(new Result(move, reached, untilNanos - fromNanos, then / usable, stalledNanos));
    }
    return results;
  }

  private static void show(List<Result> results, double usable, PrintStream out) {
    say(out, "%4s  %-10s %-10s %9s %14s %14s", "move", "from", "to", "reached", "then", "sender");
    int number = 1;
    for (Result result : results) {
      say(
          out,
          "%4d  %-10s %-10s %9s %12.1f %% %14s",
          number++,
          result.move().from(),
          result.move().to(),
          result.reached().isPresent() ? String.format("%.0f ms", result.millis()) : "never",
          100 * result.then(),
          result.wasOnTime()
              ? "on time"
              : String.format("held %d ms", result.stalledNanos() / 1_000_000));
    }
    say(
        out,
        "time until 95 %% of %,.0f/s (the quota less the floors of silent regions), goal: mean %.0f"
            + " ms, worst %.0f ms; \"never\" counts as all the time there was",
        usable,
        MEAN_GOAL_MILLIS,
        WORST_GOAL_MILLIS);
    sum("all moves", results, out);
    sum("those with the sender on time", results.stream().filter(Result::wasOnTime).toList(), out);
  }

  private static void sum(String which, List<Result> results, PrintStream out) {
    double mean = results.stream().mapToDouble(Result::millis).average().orElse(0);
    double worst = results.stream().mapToDouble(Result::millis).max().orElse(0);
    say(
        out,
        "%s (%d): mean %.0f ms, worst %.0f ms: %s",
        which,
        results.size(),
        mean,
        worst,
        mean <= MEAN_GOAL_MILLIS && worst <= WORST_GOAL_MILLIS ? "goal met" : "GOAL MISSED");
  }

  /** Regions have equal weights: it does not matter which one is busy. */
  private static double silentFloors(Trial trial) throws FleetException {
    double silent = 0;
    for (String region : trial.regions().subList(1, trial.regions().size())) {
      silent += trial.floorTokensPerSecond(region);
    }
    return silent;
  }
}
