package dev.weir.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlotTest {
  @Test
  void stepsAreRoundAndLargeEnough() {
    assertThat(Plot.niceStep(0)).isEqualTo(1);
    assertThat(Plot.niceStep(1)).isEqualTo(1);
    assertThat(Plot.niceStep(1.2)).isEqualTo(2);
    assertThat(Plot.niceStep(220)).isEqualTo(250);
    assertThat(Plot.niceStep(260)).isEqualTo(500);
    assertThat(Plot.niceStep(700)).isEqualTo(1000);
    assertThat(Plot.niceStep(0.03)).isEqualTo(0.05);
  }

  @Test
  void aLineGoesFromTheLeftAxisToTheRightEdgeAndUpwards() {
    Plot plot = new Plot(960, 150, 3, 100);
    plot.line(new double[] {0, 50, 100}, "x");
    assertThat(plot.svg("t", List.of()))
        .contains("<path class=\"x\" d=\"M64.0 126.0L504.0 74.0L944.0 22.0\"/>");
  }

  @Test
  void whatIsNotKnownIsAGapAndWhatIsTooLargeStaysInside() {
    Plot plot = new Plot(960, 150, 4, 100);
    plot.line(new double[] {0, Double.NaN, 1000, 0}, "x");
    assertThat(plot.svg("t", List.of())).contains("d=\"M64.0 126.0M650.7 22.0L944.0 126.0\"");
  }

  @Test
  void theAxisEndsAtTheFirstRoundValueAboveTheLargest() {
    String svg = new Plot(960, 150, 2, 440).svg("t", List.of());
    assertThat(svg).contains(">0<", ">100<", ">500<").doesNotContain(">600<");
  }

  @Test
  void timesOnTheAxisAreRound() {
    long second = 1_000_000_000L;
    assertThat(TimeAxis.ticks(4 * 3600 * second, 46_320 * second))
        .extracting(Plot.Tick::label)
        .containsExactly("04:00", "06:00", "08:00", "10:00", "12:00", "14:00", "16:00");
    assertThat(TimeAxis.ticks(7 * second, 20 * second))
        .containsExactly(
            new Plot.Tick(0.15, "00:00:10"),
            new Plot.Tick(0.4, "00:00:15"),
            new Plot.Tick(0.65, "00:00:20"),
            new Plot.Tick(0.9, "00:00:25"));
  }
}
