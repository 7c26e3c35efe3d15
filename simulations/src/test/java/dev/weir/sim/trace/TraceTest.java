package dev.weir.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
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

  private static TraceRow row(long seconds, long count, long cost) {
    return new TraceRow(seconds * SECOND, "eu-west", "k", count, cost);
  }
}
