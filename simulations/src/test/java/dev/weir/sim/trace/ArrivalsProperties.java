package dev.weir.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArrivalsProperties {
  private static final long SECOND = 1_000_000_000L;

  @Seeds(tries = 50)
  void theyComeInOrderWithinTheirReadingsAndAsManyAsScaled(Random random) {
    Trace trace = trace(random);
    Pace pace = new Pace(1 + random.nextInt(1000), 0.1 + random.nextDouble() * 5);
    List<Arrival> arrivals = all(trace, pace, 7);

    long requests = trace.rows().stream().mapToLong(TraceRow::count).sum();
    assertThat((double) arrivals.size()).isCloseTo(requests * pace.scale(), within(1.001));
    assertThat(arrivals).isSortedAccordingTo((a, b) -> Long.compare(a.atNanos(), b.atNanos()));
    assertThat(arrivals)
        .allSatisfy(
            arrival ->
                assertThat(arrival.atNanos()).isBetween(0L, pace.replayNanos(trace.lengthNanos())));
  }

  @Seeds(tries = 20)
  void aSeedGivesTheSameArrivalsEveryTime(Random random) {
    Trace trace = trace(random);
    Pace pace = new Pace(10, 1.5);
    assertThat(all(trace, pace, 3)).isEqualTo(all(trace, pace, 3));
  }

  @Test
  void aScaleBelowOneThinsTheTraceEvenly() {
    List<TraceRow> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(new TraceRow(i * SECOND, "eu-west", "k" + i, 1, 1));
    }
    List<Arrival> arrivals = all(new Trace("t", rows), new Pace(1, 0.25), 1);
    assertThat(arrivals).hasSize(25);
    assertThat(arrivals.get(0).key()).isEqualTo("k3");
    assertThat(arrivals.get(24).key()).isEqualTo("k99");
  }

  @Test
  void afterTheLastThereIsNone() {
    Trace trace = new Trace("t", List.of(new TraceRow(0, "eu-west", "k", 1, 1)));
    Arrivals arrivals = new Arrivals(trace, new Pace(1, 1), 1);
    assertThat(arrivals.next().region()).isEqualTo("eu-west");
    assertThat(arrivals.hasNext()).isFalse();
    assertThatThrownBy(arrivals::next).isInstanceOf(NoSuchElementException.class);
  }

  private static Trace trace(Random random) {
    List<TraceRow> rows = new ArrayList<>();
    long seconds = 1_000_000;
    for (int i = 0; i < 200; i++) {
      seconds += random.nextInt(3);
      String region = random.nextBoolean() ? "eu-west" : "us-east";
      rows.add(new TraceRow(seconds * SECOND, region, "k" + i, 1 + random.nextInt(4), 1));
    }
    return new Trace("t", rows);
  }

  private static List<Arrival> all(Trace trace, Pace pace, long seed) {
    List<Arrival> arrivals = new ArrayList<>();
    new Arrivals(trace, pace, seed).forEachRemaining(arrivals::add);
    return arrivals;
  }
}
