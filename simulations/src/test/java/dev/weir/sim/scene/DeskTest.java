package dev.weir.sim.scene;

import static dev.weir.sim.scene.Scene.micros;
import static dev.weir.sim.scene.Scene.share;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.lease.Desk;
import dev.weir.core.message.SyncAnswer.Status;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Share;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeskTest {
  private static DeskScene three(double rate, double burst, int floorPpm) {
    DeskScene scene = new DeskScene(rate, burst, floorPpm, Rules.ALL);
    scene.regions("r0", "r1", "r2");
    for (int i = 0; i < 3; i++) {
      scene.asks("r" + i, "f" + i, 1);
      scene.asks("r" + i, "f" + i, 1);
    }
    return scene;
  }

  /** What is leased at most, and the floors in use, never exceed the quota. */
  private static void fits(DeskScene scene) {
    Share all = scene.floorsInUse().plus(scene.leasable());
    assertThat(all.fitsIn(scene.quota().whole())).as("%s", all).isTrue();
  }

  // ------------------------------------------------------------------------------ H1, N4, N7

  @Test
  void aFourthRegionGetsNoFloorBeforeLeasesGivenEarlierHaveEnded() {
    DeskScene scene = three(1_000, 200, 600_000);
    scene.at(9);
    scene.at(10).regions("r0", "r1", "r2", "r3");
    scene.asks("r3", "f3", 1);
    assertThat(scene.floorOf("f3", 1)).isEqualTo(Share.ZERO);
    fits(scene);
    // The others name their smaller floors; region 0 has been cut off since 9.
    scene.at(10.1);
    scene.asks("r1", "f1", 1);
    scene.asks("r2", "f2", 1);
    scene.at(10.2);
    scene.asks("r1", "f1", 1);
    scene.asks("r2", "f2", 1);
    scene.asks("r3", "f3", 1);
    assertThat(scene.floorOf("f3", 1)).isEqualTo(Share.ZERO);
    fits(scene);
    scene.at(10 + 2 * 1.001 + 0.1 + 0.001);
    scene.asks("r3", "f3", 1);
    assertThat(scene.floorOf("f3", 1)).isEqualTo(share(150, 30));
    fits(scene);
  }

  @Test
  void floorsThatGrowWaitUntilEveryLeaseGivenBeforeHasEnded() {
    DeskScene scene = three(1_000, 200, 100_000);
    scene.at(10).floors(500_000);
    assertThat(scene.leasable().rateMicros()).isBetween(micros(500), micros(500) + 3);
    scene.at(11.9);
    scene.asks("r1", "f1", 1);
    assertThat(scene.floorOf("f1", 1).rateMicros()).isEqualTo(33_333_333);
    scene.at(12.2);
    scene.asks("r1", "f1", 1);
    assertThat(scene.floorOf("f1", 1).rateMicros()).isEqualTo(166_666_666);
  }

  @Test
  void aRegionThatHasNotHeardKeepsAFloorThatTheOthersHaveLost() {
    // Floors of one request each are half of the burst; four of them would be more, so there are
    // none.
    DeskScene scene = three(60, 6, 100_000);
    assertThat(scene.floorOf("f0", 1).burstMicros()).isEqualTo(micros(1));
    scene.at(10).regions("r0", "r1", "r2", "r3");
    assertThat(scene.leasable()).isEqualTo(share(54, 3));
    for (int i = 1; i < 3; i++) {
      scene.asks("r" + i, "f" + i, 1);
      scene.asks("r" + i, "f" + i, 1);
    }
    assertThat(scene.leasable()).isEqualTo(share(58, 5));
    fits(scene);
    scene.asks("r0", "f0", 1);
    assertThat(scene.leasable()).isEqualTo(share(58, 5));
    scene.asks("r0", "f0", 1);
    assertThat(scene.leasable()).isEqualTo(share(60, 6));
  }

  @Test
  void aFloorCountsAtTheLargestOfAllVersionsUntilOneIsNamed() {
    DeskScene scene = three(1_000, 200, 600_000);
    scene.at(10).floors(100_000);
    scene.asksInVain("r0", "f0", 1);
    scene.at(20).floors(120_000);
    scene.asksInVain("r0", "f0", 1);
    for (int i = 1; i < 3; i++) {
      scene.at(21 + i).asks("r" + i, "f" + i, 1);
      scene.asks("r" + i, "f" + i, 1);
    }
    assertThat(scene.floorOf("f0", 1)).isEqualTo(share(200, 40));
    assertThat(scene.leasable()).isEqualTo(share(720, 144));
    fits(scene);
  }

  @Test
  void whatAPoolGrowsByBecauseFloorsShrinkStartsEmptyAlsoWhereNobodyAsked() {
    DeskScene scene = new DeskScene(0.01, 1_000, 500_000, Rules.ALL);
    scene.regions("r0", "r1", "r2");
    for (int i = 0; i < 3; i++) {
      scene.asks("r" + i, "f" + i, 1);
      scene.asks("r" + i, "f" + i, 1);
    }
    long before = scene.desk.untouched(DeskScene.QUOTA, scene.nowNanos()).levelMicros();
    scene.at(10).floors(100_000);
    for (int i = 0; i < 3; i++) {
      scene.asks("r" + i, "f" + i, 1);
      scene.asks("r" + i, "f" + i, 1);
    }
    long after = scene.desk.untouched(DeskScene.QUOTA, scene.nowNanos()).levelMicros();
    assertThat(scene.leasable().burstMicros()).isGreaterThan(micros(899));
    assertThat(after).isBetween(before, before + micros(0.1));
  }

  // ------------------------------------------------------------------------------ S8

  @Test
  void aFloorPassesToAnotherProcessOnlyWhenItsHolderHasStoppedUsingIt() {
    DeskScene scene = three(1_000, 200, 100_000);
    double lastAnswered = 5;
    scene.at(lastAnswered).asks("r0", "f0", 1);
    double passes = lastAnswered + 60 * 1.001 + 0.05;
    scene.at(passes - 0.001).asks("r0", "other", 2);
    assertThat(scene.floorOf("other", 2)).isEqualTo(Share.ZERO);
    scene.at(passes).asks("r0", "other", 2);
    assertThat(scene.floorOf("other", 2).rateMicros()).isEqualTo(33_333_333);
  }

  @Test
  void aProcessThatHasLockedTheFolderOfTheOneBeforeGetsItsFloorAtOnce() {
    DeskScene scene = three(1_000, 200, 100_000);
    scene.at(1).asks("r0", "f0", 2);
    assertThat(scene.floorOf("f0", 2).rateMicros()).isEqualTo(33_333_333);
  }

  @Test
  void inARollingUpdateTheNewProcessGetsTheFloorWhenTheOldOneReleasesIt() {
    DeskScene scene = three(6_000, 1_000, 100_000);
    scene.at(1).asks("r0", "new", 2);
    assertThat(scene.floorOf("new", 2)).isEqualTo(Share.ZERO);
    assertThat(scene.asks("r0", "f0", 1).status()).isEqualTo(Status.FENCED);
    scene.at(61).leaves("r0", "f0", 1);
    scene.asks("r0", "new", 2);
    assertThat(scene.floorOf("new", 2).rateMicros()).isEqualTo(200_000_000);
    fits(scene);
  }

  @Test
  void aLateRequestOfAProcessThatHasLeftDoesNotTakeTheFloorAgain() {
    DeskScene scene = three(1_000, 200, 100_000);
    scene.at(1).leaves("r0", "f0", 1);
    assertThat(scene.asksInVain("r0", "f0", 1).status()).isEqualTo(Status.FENCED);
    scene.at(2).asks("r0", "other", 2);
    assertThat(scene.floorOf("other", 2).rateMicros()).isEqualTo(33_333_333);
  }

  @Test
  void theFloorOfARegionThatIsGoneComesBackWhenItHasRunOutAndThatIsOnDisk() {
    DeskScene scene = three(1_000, 200, 300_000);
    scene.at(10).regions("r1", "r2");
    keepAlive(scene, 10, 71);
    assertThat(scene.leasable().rateMicros()).isEqualTo(micros(600));
    scene.stored();
    assertThat(scene.leasable().rateMicros()).isEqualTo(micros(700));
  }

  @Test
  void anOperatorsWordReturnsTheFloorOfARegionThatIsGone() {
    DeskScene scene = three(1_000, 200, 300_000);
    scene.at(10).regions("r1", "r2");
    scene.desk.releaseFloor("r0", scene.nowNanos());
    scene.stored();
    keepAlive(scene, 10, 13);
    scene.stored();
    assertThat(scene.leasable().rateMicros()).isEqualTo(micros(700));
  }

  private static void keepAlive(DeskScene scene, int fromSeconds, int untilSeconds) {
    for (int second = fromSeconds; second <= untilSeconds; second++) {
      scene.at(second).asks("r1", "f1", 1);
      scene.asks("r2", "f2", 1);
    }
  }

  // ------------------------------------------------------------------------------ S9

  static Stream<Named<Consumer<DeskScene>>> waysToLoseALongTtl() {
    return Stream.of(
        named("a shorter ttl", scene -> {}),
        named("removed and made again", DeskScene::removed),
        named(
            "another match",
            scene ->
                scene.quota(
                    QuotaSpec.leased(
                        DeskScene.QUOTA,
                        List.of(Match.any("tenant")),
                        scene.quota().rate(),
                        scene.quota().burstMicros()))),
        named(
            "strict meanwhile",
            scene ->
                scene.quota(
                    QuotaSpec.strict(
                        DeskScene.QUOTA,
                        List.of(),
                        scene.quota().rate(),
                        scene.quota().burstMicros()))));
  }

  /** H5, also where it is not the same quota any more that leases of 60 s were given by. */
  @ParameterizedTest
  @MethodSource("waysToLoseALongTtl")
  void aRestartedDeskLearnsForTheLongestLeaseThatCanBeAlive(Consumer<DeskScene> change) {
    assertThat(learnsForSeconds(change, Rules.ALL)).isEqualTo(60);
    assertThat(learnsForSeconds(change, Rules.without(Clause.S9_LONGEST_TTL))).isEqualTo(5);
  }

  private static long learnsForSeconds(Consumer<DeskScene> change, Rules rules) {
    DeskScene scene = new DeskScene(1_000, 1_000, 0, rules);
    scene.quota(scene.quota().withLease(DeskScene.lease(60, 0)));
    scene.regions("r0", "r1");
    QuotaSpec shorter = scene.quota().withLease(DeskScene.lease(5, 0));
    change.accept(scene.at(0.5));
    scene.at(1).quota(shorter);
    scene.at(2).restart(Desk.Start.AGAIN, Map.of());
    long until = scene.desk.authority(DeskScene.QUOTA).learningUntilNanos();
    return (until - 2 * Scene.SECOND_NANOS) / Scene.SECOND_NANOS;
  }

  /** L2: why the operator is asked about an empty data folder. */
  @Test
  void aNewClusterThatIsTakenForALostOneGivesNothingForATimeToLiveAndNoFloors() {
    DeskScene scene = new DeskScene(1_000, 200, 100_000, Rules.ALL);
    scene.regions("r0", "r1");
    assertThat(scene.desk.authority(DeskScene.QUOTA).isLearningAt(scene.nowNanos())).isFalse();
    scene.asks("r0", "f0", 1);
    assertThat(scene.floorOf("f0", 1)).isEqualTo(share(50, 10));

    DeskScene lost = new DeskScene(1_000, 200, 100_000, Rules.ALL);
    lost.regions("r0", "r1");
    lost.restart(Desk.Start.LOST_DATA, Map.of());
    assertThat(lost.desk.authority(DeskScene.QUOTA).isLearningAt(lost.at(2).nowNanos())).isTrue();
    for (int minute = 0; minute < 10; minute++) {
      lost.at(minute * 60).asks("r0", "f0", 1);
      assertThat(lost.floorOf("f0", 1)).isEqualTo(Share.ZERO);
    }
  }

  @Test
  void aRestartedDeskGivesLargerFloorsOnlyWhenOldLeasesHaveEnded() {
    DeskScene scene = three(1_000, 200, 100_000);
    // The quotas change while it is down.
    scene.at(3);
    scene.restart(Desk.Start.AGAIN, Map.of());
    scene.at(3.1).floors(500_000);
    scene.at(5).asks("r0", "f0", 1);
    assertThat(scene.floorOf("f0", 1).rateMicros()).isEqualTo(33_333_333);
    scene.at(5.3).asks("r0", "f0", 1);
    assertThat(scene.floorOf("f0", 1).rateMicros()).isEqualTo(166_666_666);
  }

  @Test
  void afterLostDataFloorsStayReservedWhateverTheQuotaBecomes() {
    DeskScene scene = three(1_000, 200, 600_000);
    scene.at(3).restart(Desk.Start.LOST_DATA, Map.of());
    scene.at(4).floors(100_000);
    scene.stored();
    fits(scene);
    // Region 0 says which floors it has; then it is known.
    scene.asks("r0", "f0", 1);
    scene.asks("r0", "f0", 1);
    fits(scene);
  }

  @Test
  void anUntouchedSlowPoolOfARestartedDeskHasWhatWasStored() {
    DeskScene scene = new DeskScene(0.01, 1_000, 0, Rules.ALL);
    scene.regions("r0", "r1");
    scene.at(5).restart(Desk.Start.AGAIN, Map.of(DeskScene.QUOTA, micros(400)));
    assertThat(scene.desk.untouched(DeskScene.QUOTA, scene.nowNanos()).levelMicros())
        .isEqualTo(micros(400));
    scene.at(6).restart(Desk.Start.AGAIN, Map.of());
    assertThat(scene.desk.untouched(DeskScene.QUOTA, scene.nowNanos()).levelMicros())
        .isEqualTo(micros(1_000));
  }

  private static Map<QuotaId, Long> untouched(DeskScene scene) {
    return Map.of(
        DeskScene.QUOTA, scene.desk.untouched(DeskScene.QUOTA, scene.nowNanos()).levelMicros());
  }

  /** Of a bucket of 1,000 tokens that fills in 100 s. */
  @Test
  void afterLostDataAnUntouchedSlowPoolHasWhatWasMadeSinceInAllRunsTogether() {
    DeskScene scene = new DeskScene(10, 1_000, 0, Rules.ALL);
    scene.regions("r0", "r1");
    scene.at(5).loses(2);
    double learnt = 2 * 1.001 + 0.05;
    assertThat(untouched(scene.at(5 + learnt))).containsValue(0L);
    scene.at(5 + learnt + 20).restartSinceLoss(2, untouched(scene));
    assertThat(untouched(scene)).containsValue(micros(200));
    // It learns again, since leases are alive: nothing is made meanwhile.
    scene.at(5 + learnt + 20 + learnt + 30).restartSinceLoss(2, untouched(scene));
    assertThat(untouched(scene)).containsValue(micros(500));
    scene.at(1_000);
    assertThat(untouched(scene)).containsValue(micros(1_000));
    scene.restartSinceLoss(2, untouched(scene));
    assertThat(untouched(scene)).containsValue(micros(1_000));
  }

  @Test
  void afterLostDataAnUntouchedSlowPoolOfWhichNothingWasStoredIsEmpty() {
    DeskScene scene = new DeskScene(10, 1_000, 0, Rules.ALL);
    scene.regions("r0", "r1");
    scene.at(5).loses(2);
    scene.at(5.5).restartSinceLoss(2, Map.of());
    assertThat(untouched(scene)).containsValue(0L);
  }

  @Test
  void afterLostDataALeaseGivenBeforeIsLearntWhateverRunsThereWereSince() {
    DeskScene scene = new DeskScene(10, 1_000, 0, Rules.ALL);
    scene.regions("r0", "r1");
    scene.at(5).loses(60);
    scene.at(25).restartSinceLoss(60, Map.of());
    long ends = scene.desk.authority(DeskScene.QUOTA).learningUntilNanos();
    assertThat(ends)
        .isEqualTo(5 * Scene.SECOND_NANOS + scene.timing.takenBackAfterNanos(60_000_000_000L));
    // Time in which nothing ran counts for nothing: no clock tells how long it was.
    scene.at(30);
    long ran = scene.desk.ranSinceLossNanos(scene.nowNanos());
    assertThat(ran).isEqualTo(25 * Scene.SECOND_NANOS);
    // Once they have ended, only those of the runs since are learnt.
    scene.at(66).restartSinceLoss(60, untouched(scene));
    assertThat(scene.desk.authority(DeskScene.QUOTA).learningUntilNanos())
        .isEqualTo(66 * Scene.SECOND_NANOS + scene.timing.takenBackAfterNanos(2_000_000_000L));
  }

  @Test
  void afterLostDataFloorsAreFreeWhenRunsTogetherHaveLastedLongerThanAnyFloor() {
    DeskScene scene = three(1_000, 200, 100_000);
    double day = 24 * 3_600;
    scene.at(10).loses(2);
    for (int days = 1; days <= 30; days++) {
      scene.at(10 + days * day).restartSinceLoss(2, Map.of());
      scene.asks("r0", "new", 2);
      assertThat(scene.floorOf("new", 2)).isEqualTo(Share.ZERO);
    }
    scene.at(10 + 30.04 * day).restartSinceLoss(2, Map.of());
    scene.at(20 + 30.04 * day).asks("r0", "new", 2);
    scene.asks("r0", "new", 2);
    assertThat(scene.floorOf("new", 2).rateMicros()).isEqualTo(33_333_333);
  }

  @Test
  void afterLostDataAnOperatorsWordGivesAFloorAlsoToARegionAddedLater() {
    DeskScene scene = three(1_000, 200, 100_000);
    scene.at(3).restart(Desk.Start.LOST_DATA, Map.of());
    scene.at(4).regions("r0", "r1", "r2", "r3");
    scene.at(7).asks("r0", "new", 2);
    scene.asks("r3", "f3", 1);
    assertThat(scene.floorOf("new", 2)).isEqualTo(Share.ZERO);
    assertThat(scene.floorOf("f3", 1)).isEqualTo(Share.ZERO);
    assertThat(scene.desk.releaseFloor("r0", scene.nowNanos())).isTrue();
    assertThat(scene.desk.releaseFloor("r3", scene.nowNanos())).isTrue();
    assertThat(scene.desk.releaseFloor("r3", scene.nowNanos())).isFalse();
    scene.at(8).asks("r0", "new", 2);
    scene.asks("r3", "f3", 1);
    assertThat(scene.floorOf("new", 2).rateMicros()).isEqualTo(25_000_000);
    assertThat(scene.floorOf("f3", 1).rateMicros()).isEqualTo(25_000_000);
  }
}
