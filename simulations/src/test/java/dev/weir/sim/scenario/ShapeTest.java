package dev.weir.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShapeTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void aRampGoesEvenlyFromOneRateToAnother() {
    Shape ramp = new Shape.Ramp(10, 30, 5 * SECOND, 10 * SECOND);
    assertThat(ramp.perSecondAt(0)).isEqualTo(10);
    assertThat(ramp.perSecondAt(10 * SECOND)).isEqualTo(20);
    assertThat(ramp.perSecondAt(60 * SECOND)).isEqualTo(30);
  }

  @Test
  void aDayIsHighestAtItsPeakAndLowestHalfADayLater() {
    Shape day = new Shape.Day(2, 12, 24 * SECOND, 6 * SECOND);
    assertThat(day.perSecondAt(6 * SECOND)).isEqualTo(12);
    assertThat(day.perSecondAt(18 * SECOND)).isEqualTo(2);
    assertThat(day.perSecondAt(12 * SECOND)).isCloseTo(7, within(1e-9));
  }

  @Test
  void stepsHoldUntilTheNext() {
    Shape steps =
        new Shape.Steps(List.of(new Shape.Step(SECOND, 5), new Shape.Step(2 * SECOND, 9)));
    assertThat(steps.perSecondAt(0)).isZero();
    assertThat(steps.perSecondAt(2 * SECOND - 1)).isEqualTo(5);
    assertThat(steps.perSecondAt(2 * SECOND)).isEqualTo(9);
  }

  @Test
  void aSpikeEnds() {
    Shape spike = new Shape.Spike(1, 100, SECOND, SECOND);
    assertThat(spike.perSecondAt(SECOND - 1)).isEqualTo(1);
    assertThat(spike.perSecondAt(SECOND)).isEqualTo(100);
    assertThat(spike.perSecondAt(2 * SECOND)).isEqualTo(1);
  }
}
