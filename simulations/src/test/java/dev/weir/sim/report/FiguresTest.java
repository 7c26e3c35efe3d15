package dev.weir.sim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.core.bound.Overshoot;
import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void sumsAreOverAllRegions() {
    Figures figures = Figures.of(Runs.plain());
    assertThat(figures.asked()).isEqualTo(1300);
    assertThat(figures.admitted()).isEqualTo(775);
    assertThat(figures.refused()).isEqualTo(525);
    assertThat(figures.oracleAdmitted()).isEqualTo(800);
    assertThat(figures.falseRefusals()).isEqualTo(25);
    assertThat(figures.utilisation()).isCloseTo(0.96875, within(1e-12));
  }

  @Test
  void aQuietRegionsFloorCountsOnlyWhileTheCentralBucketRefuses() {
    Figures figures = Figures.of(Runs.plain());
    // Europe's floor of 5/s for the five seconds in which America wanted more; America's was used.
    assertThat(figures.quietFloors()).isCloseTo(25, within(1e-9));
    assertThat(figures.utilisationLessQuietFloors()).isCloseTo(1, within(1e-12));
  }

  @Test
  void theBoundIsOfTheWholeRun() {
    assertThat(Figures.of(Runs.plain()).bound()).isCloseTo(50 + 1000 * 1.0005, within(1e-5));
  }

  @Test
  void itHeldOnlyWithoutOvershoot() {
    assertThat(Figures.of(Runs.plain()).boundHeld()).isTrue();
    Figures over = Figures.of(Runs.run(new Overshoot(1, 0, 0, 50_000_001), 775));
    assertThat(over.boundHeld()).isFalse();
    assertThat(over.overshoot()).isCloseTo(1e-6, within(1e-15));
  }

  @Test
  void itHeldOnlyIfEveryAdmissionWasThereToBeJudged() {
    Run lost = Runs.run(new Overshoot(-1, 0, 0, 0), 774);
    assertThat(Figures.of(lost).boundHeld()).isFalse();
    assertThat(Figures.missing(lost))
        .hasValue("agents answered that they admitted 775 tokens and wrote down only 774");
    assertThat(Figures.of(Runs.run(new Overshoot(-1, 0, 0, 0), 776)).boundHeld()).isTrue();
  }
}
