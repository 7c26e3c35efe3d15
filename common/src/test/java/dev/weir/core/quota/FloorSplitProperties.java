package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.math.MulDiv;
import dev.weir.testkit.Exhaustive;
import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FloorSplitProperties {
  @Seeds(tries = 500)
  void floorsNeverTakeMoreThanTheirPart(Random random) {
    QuotaSpec quota = Quotas.any(random, new QuotaId("shop", "q"));
    List<Region> regions = Quotas.anyRegions(random, 20);
    check(quota, FloorSplit.of(quota, regions).values());
    assertThat(FloorSplit.of(quota, regions).keySet())
        .containsExactlyInAnyOrderElementsOf(regions.stream().map(Region::name).toList());
  }

  @Seeds
  void theOrderOfTheRegionsDoesNotMatter(Random random) {
    QuotaSpec quota = Quotas.any(random, new QuotaId("shop", "q"));
    List<Region> regions = Quotas.anyRegions(random, 20);
    List<Region> shuffled = new ArrayList<>(regions);
    Collections.shuffle(shuffled, random);
    assertThat(FloorSplit.of(quota, shuffled)).isEqualTo(FloorSplit.of(quota, regions));
  }

  @Test
  void everySmallQuotaHasFloorsForAWholeRequestOrNone() {
    Exhaustive all = new Exhaustive();
    while (all.more()) {
      int burst = all.between(1, 12);
      int maxCost = all.between(1, burst);
      int floorPpm = 100_000 * all.between(0, 9);
      List<Region> regions = new ArrayList<>();
      for (int i = all.between(1, 3); i > 0; i--) {
        regions.add(new Region("r" + i, all.between(1, 3)));
      }
      QuotaSpec quota = FloorSplitTest.quota(burst, burst, maxCost, floorPpm);
      check(quota, FloorSplit.of(quota, regions).values());
    }
  }

  private static void check(QuotaSpec quota, Collection<Share> floors) {
    long ppm = quota.lease().floorPpm();
    Share sum = floors.stream().reduce(Share.ZERO, Share::plus);
    long ratePart = MulDiv.down(quota.rate().micros(), ppm, 1_000_000);
    long burstPart = MulDiv.down(quota.burstMicros(), ppm, 1_000_000);
    assertThat(sum.rateMicros()).isLessThanOrEqualTo(ratePart);
    assertThat(sum.burstMicros())
        .isLessThanOrEqualTo(Math.max(quota.burstMicros() / 2, burstPart))
        .isLessThanOrEqualTo(quota.burstMicros());
    if (sum.burstMicros() == 0) {
      assertThat(floors).containsOnly(Share.ZERO);
    } else {
      assertThat(floors).allMatch(floor -> floor.burstMicros() >= quota.maxCostMicros());
      assertThat(quota.isLeased()).isTrue();
    }
  }
}
