package dev.weir.sim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.core.bound.Overshoot;
import dev.weir.core.quota.Region;
import dev.weir.sim.live.Outcome;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.live.Timeline.Count;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SharingTest {
  private static final long SECOND = 1_000_000_000L;

  private final Timeline timeline = new Timeline(List.of("eu-west", "us-east"), SECOND);

  @Test
  void regionsThatGetTheSameAreEvenAndOneThatGetsAllIsNot() {
    slot(0, "eu-west", 100, 50, 50);
    slot(0, "us-east", 100, 50, 50);
    assertThat(Sharing.jain(run(1))).hasValue(1);
    slot(1, "eu-west", 100, 100 - 11, 50);
    slot(1, "us-east", 100, 11, 50);
    assertThat(Sharing.jain(run(1)).orElseThrow())
        .isCloseTo((100 * 1 + 100 * (100.0 * 100 / (2 * (89 * 89 + 11 * 11)))) / 200, within(1e-9));
  }

  @Test
  void whoHasAllItWantsAndWhoHasAnotherWeightIsNotComparedWith() {
    slot(0, "eu-west", 300, 80, 80);
    slot(0, "us-east", 20, 18, 20);
    assertThat(Sharing.jain(run(1))).isEmpty();
    slot(1, "eu-west", 300, 80, 80);
    slot(1, "us-east", 300, 20, 20);
    assertThat(Sharing.jain(run(1))).isPresent();
    assertThat(Sharing.jain(run(2))).isEmpty();
  }

  @Test
  void theLongestTimeBehindTheCentralBucketIsCounted() {
    slot(0, "eu-west", 200, 95, 100);
    slot(1, "us-east", 200, 40, 100);
    slot(2, "us-east", 200, 80, 100);
    slot(3, "us-east", 200, 95, 100);
    slot(4, "us-east", 200, 60, 100);
    assertThat(Sharing.convergenceNanos(run(1))).isEqualTo(2 * SECOND);
  }

  @Test
  void whereNobodyIsRefusedByTheCentralBucketNothingIsBehind() {
    slot(0, "eu-west", 60, 30, 60);
    assertThat(Sharing.convergenceNanos(run(1))).isZero();
  }

  private void slot(int slot, String region, long asked, long admitted, long oracle) {
    long atNanos = slot * SECOND;
    timeline.add(region, Count.ASKED, atNanos, asked);
    timeline.add(region, Count.ADMITTED, atNanos, admitted);
    timeline.add(region, Count.REFUSED, atNanos, asked - admitted);
    timeline.add(region, Count.ORACLE_ADMITTED, atNanos, oracle);
  }

  private Run run(int weightOfEurope) {
    Run plain = Runs.run(new Overshoot(0, 0, 0, 0), 0);
    return new Run(
        plain.trace(),
        plain.pace(),
        plain.seed(),
        plain.quota(),
        List.of(new Region("eu-west", weightOfEurope), new Region("us-east", 1)),
        plain.driftPpm(),
        new Outcome(timeline, 0, 5 * SECOND, 0, Optional.empty()),
        List.of(),
        List.of(),
        0);
  }
}
