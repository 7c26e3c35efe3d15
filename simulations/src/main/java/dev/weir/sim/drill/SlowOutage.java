package dev.weir.sim.drill;

import static dev.weir.sim.drill.Trial.say;

import dev.weir.sim.demo.FleetException;
import dev.weir.sim.judge.Admitted;
import dev.weir.sim.judge.AuditLog;
import dev.weir.sim.live.Timeline.Count;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/**
 * A quota of 1,000 a day: half of it is spent, the coordinator is killed and started again, and
 * then agents are asked until they refuse. What is left must neither begin anew nor stand still.
 */
final class SlowOutage {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final double ASKED_PER_SECOND = 60;
  private static final long HALF = 500;
  private static final int PERIODS_MAX = 90;

  /** Longer than a lease lasts, and than learning does: nothing comes any more. */
  private static final int QUIET_PERIODS = 20;

  private final Trial trial;
  private final long awayNanos;

  SlowOutage(Trial trial, long awayNanos) {
    this.trial = trial;
    this.awayNanos = awayNanos;
  }

  /** Runs it; returns whether the bound held and something was left. */
  boolean run(PrintStream out) throws IOException, FleetException, InterruptedException {
    long before = ask(HALF, PERIODS_MAX);
    say(System.err, "%d spent; the coordinator is killed ...", before);
    trial.fleet().killCoordinator();
    Pause.ofNanos(awayNanos);
    long restartedNanos = System.nanoTime();
    trial.fleet().restartCoordinator();
    double startSeconds = (System.nanoTime() - restartedNanos) / 1e9;
    say(System.err, "started again; asking until nothing comes any more ...");
    long after = ask(Long.MAX_VALUE, QUIET_PERIODS);
    trial.fleet().requireAlive();
    trial.fleet().stopAgents();

    AuditLog log = trial.audit();
    List<Admitted> admitted = log.admitted(trial.bucket());
    double floors = 0;
    for (String region : trial.regions()) {
      floors += trial.floorBurstTokens(region);
    }
    boolean moved = after > floors;
    say(
        out,
        "of 1,000 a day: %d admitted before the kill, %d after the restart (floors hold %.0f of"
            + " them), %d in all; %s",
        before,
        after,
        floors,
        before + after,
        moved ? "it went on" : "IT STANDS STILL");
    say(
        out,
        "away for %.0f s, ready %.1f s after the start; by second after it: %s",
        awayNanos / 1e9,
        startSeconds,
        bySecond(admitted, restartedNanos));
    say(out, "%s", Trial.machine());
    return trial.judge(log, out) && moved;
  }

  /**
   * Asks all regions in turn, a second at a time.
   *
   * @param enough ends when so much was admitted
   * @param quietPeriods and when nothing was for so many seconds
   * @return what was admitted
   */
  private long ask(long enough, int quietPeriods)
      throws IOException, FleetException, InterruptedException {
    List<String> regions = trial.regions();
    long sum = 0;
    int quiet = 0;
    for (int i = 0; i < PERIODS_MAX && sum < enough && quiet < quietPeriods; i++) {
      long left = Math.min((long) ASKED_PER_SECOND, enough - sum);
      long lengthNanos = (long) (left * SECOND_NANOS / ASKED_PER_SECOND);
      Load load =
          trial.load(
              new EvenLoad(
                  ASKED_PER_SECOND,
                  lengthNanos,
                  (atNanos, number) -> regions.get((int) (number % regions.size()))));
      long admitted = load.await().timeline().total(Count.ADMITTED);
      quiet = admitted == 0 ? quiet + 1 : 0;
      sum += admitted;
    }
    return sum;
  }

  private static String bySecond(List<Admitted> admitted, long fromNanos) {
    StringBuilder text = new StringBuilder();
    for (int second = 0; second < PERIODS_MAX; second++) {
      long from = fromNanos + second * SECOND_NANOS;
      double tokens = CatchUp.tokens(admitted, from, from + SECOND_NANOS);
      if (tokens > 0) {
        text.append(String.format(" %d:%.0f", second, tokens));
      }
    }
    return text.toString().strip();
  }
}
