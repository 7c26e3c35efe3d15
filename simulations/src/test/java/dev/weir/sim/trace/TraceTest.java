package dev.weir.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.core.quota.Descriptors;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TraceTest {
  private static final long SECOND = 1_000_000_000L;

  private final Trace trace =
      new Trace("t", List.of(row(59, 4, 1), row(60, 1, 10), row(90, 2, 1), row(120, 3, 1)));

  @Test
  void theBusiestMinuteIsByTheTracesOwnClockAndCountsCosts() {
    assertThat(trace.busiestMinuteTokens()).isEqualTo(12);
  }

  @Test
  void itsIntervalIsTheSmallestStepAndEndsItsLength() {
    assertThat(trace.intervalNanos()).isEqualTo(SECOND);
    assertThat(trace.lengthNanos()).isEqualTo(62 * SECOND);
    assertThat(new Trace("one", List.of(row(5, 1, 1))).lengthNanos()).isEqualTo(SECOND);
  }

  @Test
  void thePaceThatContendsMakesTheBusiestMinuteAskForSoManyQuotas() {
    Pace pace = Pace.contending(trace, 100, 40, 3);
    // 12 tokens a minute, 100 times as fast, are 20/s; 3 x 40/s are wanted.
    assertThat(pace.scale()).isCloseTo(6, within(1e-9));
    assertThat(pace.replayNanos(100 * SECOND)).isEqualTo(SECOND);
    assertThat(pace.traceNanos(SECOND)).isEqualTo(100 * SECOND);
  }

  @Test
  void aPaceThatWouldNotEndIsRefused() {
    assertThatThrownBy(() -> new Pace(0, 1)).hasMessageContaining("speed");
    assertThatThrownBy(() -> new Pace(Double.NaN, 1)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> new Pace(1, -1)).hasMessageContaining("scale");
  }

  @Test
  void anEmptyTraceIsRefused() {
    assertThatThrownBy(() -> new Trace("t", List.of())).hasMessageContaining("at least one row");
  }

  @Test
  void rowsOutOfOrderAreRefused() {
    assertThatThrownBy(() -> new Trace("t", List.of(row(2, 1, 1), row(1, 1, 1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sorted by time");
  }

  @Seeds(tries = 30)
  void rowsComeOutAsTheyWentIn(Random random) {
    List<TraceRow> rows = new ArrayList<>();
    // More than a chunk holds, with counts and costs that begin late.
    for (int i = 0; i < 20_000; i++) {
      long amount = i < 10_000 ? 1 : 1 + random.nextInt(TraceRow.AMOUNT_MAX);
      Descriptors descriptors =
          random.nextBoolean()
              ? Descriptors.NONE
              : Descriptors.of("tenant", "t" + random.nextInt(50));
      rows.add(
          new TraceRow(i / 3, "r" + random.nextInt(3), "k" + i % 7, amount, amount, descriptors));
    }
    Trace read = new Trace("t", rows);
    assertThat(read.rows()).isEqualTo(rows);
    assertThat(read.requests()).isEqualTo(rows.stream().mapToLong(TraceRow::count).sum());
  }

  @Seeds(tries = 50)
  void rowsThatComeLateAreSortedAndThoseOfOneTimeKeepTheirOrder(Random random) {
    TraceBuilder builder = new TraceBuilder("t");
    List<TraceRow> rows = new ArrayList<>();
    int count = 1 + random.nextInt(500);
    for (int i = 0; i < count; i++) {
      // Mostly in order, as logs are, which note a request when it ends.
      rows.add(row(i / 4 - random.nextInt(10) * random.nextInt(2), 1 + i, 1));
      builder.add(rows.get(i));
    }
    rows.sort(Comparator.comparingLong(TraceRow::timeNanos));
    assertThat(new Trace(builder).rows()).isEqualTo(rows);
  }

  private static TraceRow row(long seconds, long count, long cost) {
    return new TraceRow(seconds * SECOND, "eu-west", "k", count, cost);
  }
}
