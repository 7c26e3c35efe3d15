package dev.weir.sim.report;

import dev.weir.core.bound.Overshoot;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import dev.weir.sim.judge.QuotaVerdict;
import dev.weir.sim.live.LeaseSample;
import dev.weir.sim.live.Outcome;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.live.Timeline.Count;
import dev.weir.sim.trace.Pace;
import dev.weir.sim.trace.Trace;
import dev.weir.sim.trace.TraceRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A small run: 10 s in slots of 1 s of a quota of 100/s, burst 50, floors of 10 % by halves. Europe
 * asks 60 a second for five seconds and nothing then; America asks 200 a second from there on, and
 * gets 95.
 */
final class Runs {
  static final QuotaSpec QUOTA =
      QuotaSpec.leased(
          new QuotaId("shop", "public-api"),
          List.of(new Match("api", "public")),
          Rate.perSecond(100),
          50 * Tokens.MICROS_PER_TOKEN);

  private static final long SECOND = 1_000_000_000L;

  private Runs() {}

  static Run plain() {
    return run(new Overshoot(-3 * Tokens.MICROS_PER_TOKEN, 0, 2 * SECOND, 247_000_000), 775);
  }

  static Run run(Overshoot worst, long writtenTokens) {
    Timeline timeline = new Timeline(List.of("eu-west", "us-east"), SECOND);
    for (int second = 0; second < 5; second++) {
      long at = second * SECOND;
      timeline.add("eu-west", Count.ASKED, at, 60);
      timeline.add("eu-west", Count.ADMITTED, at, 60);
      timeline.add("eu-west", Count.ORACLE_ADMITTED, at, 60);
      long later = at + 5 * SECOND;
      timeline.add("us-east", Count.ASKED, later, 200);
      timeline.add("us-east", Count.ADMITTED, later, 95);
      timeline.add("us-east", Count.REFUSED, later, 105);
      timeline.add("us-east", Count.ORACLE_ADMITTED, later, 100);
      timeline.add("us-east", Count.REFUSED_ALONE, later, 5);
    }
    Trace trace =
        new Trace(
            "a <trace> & more",
            List.of(
                new TraceRow(0, "eu-west", "a", 1, 1),
                new TraceRow(36_000 * SECOND, "us-east", "b", 1, 1)));
    List<LeaseSample> leases =
        List.of(
            new LeaseSample(0, Map.of("eu-west", 60.0)),
            new LeaseSample(5 * SECOND + 1, Map.of("us-east", 90.0)));
    return new Run(
        trace,
        new Pace(3600, 1),
        7,
        QUOTA,
        List.of(new Region("eu-west", 1), new Region("us-east", 1)),
        500,
        new Outcome(timeline, 0, 10 * SECOND, 0, Optional.empty()),
        List.of(
            new QuotaVerdict(
                QUOTA, writtenTokens, writtenTokens * Tokens.MICROS_PER_TOKEN, 1, "", worst)),
        leases,
        200);
  }
}
