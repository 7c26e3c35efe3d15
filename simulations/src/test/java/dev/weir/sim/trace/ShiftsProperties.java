package dev.weir.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShiftsProperties {
  private static final long SECOND = 1_000_000_000L;

  @Seeds(tries = 50)
  void onlyWhereSomeAreAskedChanges(Random random) {
    Trace trace = trace(random, 300);
    Pace pace = new Pace(1 + random.nextInt(10), 0.5 + random.nextDouble() * 3);
    List<Shift> shifts = List.of(shift(random, "a", "b"), shift(random, "b", "c"));
    long seed = random.nextLong();

    List<Arrival> still = all(new Arrivals(trace, pace, seed));
    List<Arrival> moved = all(new Arrivals(trace, pace, shifts, seed));
    assertThat(moved).hasSameSizeAs(still);
    for (int i = 0; i < still.size(); i++) {
      Arrival before = still.get(i);
      Arrival after = moved.get(i);
      assertThat(new Arrival(after.atNanos(), before.region(), after.key(), after.cost()))
          .isEqualTo(before);
      if (!after.region().equals(before.region())) {
        assertThat(before.region()).isIn("a", "b");
        assertThat(after.region()).isIn("b", "c");
        assertThat(after.atNanos())
            .isGreaterThanOrEqualTo(Math.min(shifts.get(0).atNanos(), shifts.get(1).atNanos()));
      }
    }
  }

  @Seeds(tries = 20)
  void oneMoreShiftLeavesTheDiceOfTheFirstAlone(Random random) {
    Trace trace = trace(random, 300);
    Pace pace = new Pace(1, 2);
    Shift first = shift(random, "a", "c");
    List<Arrival> alone = all(new Arrivals(trace, pace, List.of(first), 5));
    List<Arrival> both = all(new Arrivals(trace, pace, List.of(first, shift(random, "b", "d")), 5));
    for (int i = 0; i < alone.size(); i++) {
      if (!both.get(i).region().equals("d")) {
        assertThat(both.get(i)).isEqualTo(alone.get(i));
      }
    }
  }

  @Seeds(tries = 5)
  void theShareThatMovesIsTheShareAskedFor(Random random) {
    List<TraceRow> rows = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      rows.add(new TraceRow(i * SECOND, "a", "k", 100, 1));
    }
    Shift shift = Shift.parse("at=100s,from=a,to=b,over=100s,share=0.7,back=400s");
    Arrivals arrivals =
        new Arrivals(new Trace("t", rows), new Pace(1, 1), List.of(shift), random.nextLong());
    double[] away = new double[6];
    arrivals.forEachRemaining(
        arrival -> {
          if (arrival.region().equals("b")) {
            away[(int) (arrival.atNanos() / (100 * SECOND))]++;
          }
        });
    double[] shares = {0, 0.35, 0.7, 0.7, 0.35, 0};
    for (int i = 0; i < shares.length; i++) {
      // Six times the spread of 10,000 dice.
      assertThat(away[i] / 10_000).isCloseTo(shares[i], within(0.03));
    }
  }

  @Test
  void timesAreThoseOfTheReplayWhateverItsSpeed() {
    List<TraceRow> rows =
        List.of(
            new TraceRow(0, "a", "k", 1, 1),
            new TraceRow(90 * SECOND, "a", "k", 1, 1),
            new TraceRow(110 * SECOND, "a", "k", 1, 1));
    List<Shift> shifts = List.of(Shift.parse("at=1s,from=a,to=b"));
    assertThat(all(new Arrivals(new Trace("t", rows), new Pace(109, 1), shifts, 1)))
        .extracting(Arrival::region)
        .startsWith("a")
        .endsWith("b");
  }

  @Test
  void regionsThatShiftsAddFollowTheTraces() {
    Trace trace = new Trace("t", List.of(new TraceRow(0, "a", "k", 1, 1)));
    List<Shift> shifts =
        List.of(Shift.parse("at=1s,from=a,to=b"), Shift.parse("at=2s,from=b,to=c"));
    assertThat(Arrivals.regions(trace, shifts)).containsExactly("a", "b", "c");
    assertThatThrownBy(() -> new Arrivals(trace, new Pace(1, 1), List.of(shifts.get(1)), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a shift leaves b, from where nobody asks; requests come from a");
  }

  private static Shift shift(Random random, String from, String to) {
    long at = random.nextInt(200) * SECOND;
    long over = random.nextInt(60) * SECOND;
    long back = random.nextBoolean() ? Shift.NEVER : at + over + random.nextInt(60) * SECOND;
    return new Shift(at, from, to, over, 0.01 + 0.99 * random.nextDouble(), back);
  }

  private static Trace trace(Random random, int count) {
    List<TraceRow> rows = new ArrayList<>();
    long seconds = 0;
    for (int i = 0; i < count; i++) {
      seconds += random.nextInt(3);
      String region = List.of("a", "b", "x").get(random.nextInt(3));
      rows.add(new TraceRow(seconds * SECOND, region, "k" + i, 1 + random.nextInt(4), 1));
    }
    rows.add(new TraceRow(seconds * SECOND, "a", "last", 1, 1));
    rows.add(new TraceRow(seconds * SECOND, "b", "last", 1, 1));
    return new Trace("t", rows);
  }

  private static List<Arrival> all(Arrivals arrivals) {
    List<Arrival> all = new ArrayList<>();
    arrivals.forEachRemaining(all::add);
    return all;
  }
}
