package dev.weir.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bound a coordinator shows, as an independent judge adds it up. */
class PublishedJudgeTest {
  private static final List<Region> REGIONS = List.of(new Region("r0", 1));
  private static final QuotaSpec LARGE = Timeline.quota(100, 100, 0, 2);
  private static final QuotaSpec SMALL = Timeline.quota(10, 10, 0, 2);
  private static final long ONE = 1_000_000;

  private final PublishedJudge judge = new PublishedJudge(new LeaseTiming(0, 0));

  @Test
  void aBurstFitsAndOneMoreDoesNot() {
    judge.change(0, null, LARGE, REGIONS);
    judge.admitted(5, 100 * ONE);
    assertThat(judge.excessMicros()).isZero();
    judge.admitted(5, ONE);
    assertThat(judge.excessMicros()).isBetween(ONE - 1, ONE);
  }

  /** 90/s for the two seconds that leases last, and the 90 by which the burst is smaller. */
  @Test
  void loweringAddsWhatLeasesOfBeforeMaySpend() {
    judge.change(0, null, LARGE, REGIONS);
    judge.change(Fleet.SECOND, LARGE, SMALL, REGIONS);
    judge.admitted(Fleet.SECOND, (10 + 90 + 180) * ONE);
    assertThat(judge.excessMicros()).isZero();
    judge.admitted(Fleet.SECOND, ONE);
    assertThat(judge.excessMicros()).isBetween(ONE - 1, ONE);
  }

  @Test
  void whatAnOldChangeAddedIsOverWhenItsLeasesAre() {
    judge.change(0, null, LARGE, REGIONS);
    judge.change(Fleet.SECOND, LARGE, SMALL, REGIONS);
    judge.change(3 * Fleet.SECOND, SMALL, SMALL, REGIONS);
    judge.admitted(3 * Fleet.SECOND, 11 * ONE);
    assertThat(judge.excessMicros()).isBetween(ONE - 1, ONE);
  }
}
