package dev.weir.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What section 3 of the design asks of a fleet without faults: that the quota follows the traffic,
 * and what that costs next to one central bucket.
 */
class FollowingDemandTest {
  private static final QuotaId QUOTA = new QuotaId("shop", "api");
  private static final BucketId BUCKET = new BucketId(QUOTA, "");
  private static final List<Region> REGIONS =
      List.of(new Region("a", 1), new Region("b", 1), new Region("c", 1));
  private static final long RATE = 1_000;
  private static final long BURST = 1_000;
  private static final long INTERVAL_NANOS = 100 * Nanos.MILLISECOND_NANOS;
  private static final long ONE = Tokens.MICROS_PER_TOKEN;

  /** The floors of the two regions that are silent in a shift. */
  private static final double SILENT_FLOORS = RATE * 0.1 * 2 / 3;

  private final Random random = new Random(20);

  /** The round trip is as good as none, or at most a third of the interval. */
  @ParameterizedTest
  @ValueSource(longs = {1, 15})
  void aWholeLoadThatMovesFindsTheQuotaWithinAnInterval(long delayMillis) {
    long delayNanos = delayMillis * Nanos.MILLISECOND_NANOS;
    List<Long> took = moves(fleet(delayNanos), 20);
    double mean = took.stream().mapToLong(Long::longValue).average().orElseThrow();
    assertThat(mean).isLessThanOrEqualTo(INTERVAL_NANOS + 2.0 * delayNanos);
    assertThat(Collections.max(took))
        .isLessThanOrEqualTo(2 * INTERVAL_NANOS + 2 * delayNanos + 30 * Nanos.MILLISECOND_NANOS);
  }

  @Test
  void farAwayItTakesNoMoreThanThreeRoundTripsBeyondAnInterval() {
    List<Long> took = moves(fleet(75 * Nanos.MILLISECOND_NANOS), 20);
    assertThat(Collections.max(took))
        .isLessThanOrEqualTo(INTERVAL_NANOS + 3 * 150 * Nanos.MILLISECOND_NANOS);
  }

  @Test
  void nobodyIsRefusedAtSeventyPercentOfTheQuota() {
    Shares shares = steady(0.7, 0.5, 0.3, 0.2);
    assertThat(shares.refusedAlone).isLessThanOrEqualTo(shares.asked / 1_000);
  }

  @Test
  void almostAllThatACentralBucketAdmitsIsAdmitted() {
    Shares shares = steady(1.5, 0.5, 0.3, 0.2);
    assertThat((double) shares.admitted).isGreaterThanOrEqualTo(0.985 * shares.centrallyAdmitted);
  }

  @Test
  void regionsThatWantTheSameGetTheSame() {
    Shares shares = steady(2, 0.34, 0.33, 0.33);
    double sum = Arrays.stream(shares.byRegion).sum();
    double squares = Arrays.stream(shares.byRegion).map(each -> each * each).sum();
    assertThat(sum * sum / (3 * squares)).isGreaterThanOrEqualTo(0.99);
  }

  /**
   * What was asked and admitted once the fleet had settled, and what one bucket would have done.
   */
  private static final class Shares {
    long asked;
    long admitted;
    long centrallyAdmitted;
    long refusedAlone;
    final double[] byRegion = new double[REGIONS.size()];
  }

  /** Random arrivals at a constant mean rate. */
  private Shares steady(double load, double... parts) {
    Fleet fleet = fleet(1 * Nanos.MILLISECOND_NANOS);
    long settledNanos = fleet.time().nowNanos() + 4 * Nanos.SECOND_NANOS;
    long burst = BURST * ONE;
    Rate rate = Rate.perSecond(RATE);
    Bucket[] central = {new Bucket(load < 1 ? burst : 0, 0, settledNanos, rate, burst)};
    Shares shares = new Shares();
    for (int i = 0; i < parts.length; i++) {
      int region = i;
      double meanNanos = Nanos.SECOND_NANOS / (RATE * load * parts[i]);
      double at = 0;
      while (at < 16 * Nanos.SECOND_NANOS) {
        at -= Math.log(1 - random.nextDouble()) * meanNanos;
        fleet.time().after((long) at, () -> ask(fleet, region, settledNanos, central, shares));
      }
    }
    fleet.runFor(16 * Nanos.SECOND_NANOS);
    return shares;
  }

  private static void ask(
      Fleet fleet, int region, long settledNanos, Bucket[] central, Shares shares) {
    boolean admitted = agent(fleet, REGIONS.get(region).name()).take(BUCKET, ONE);
    long nowNanos = fleet.time().nowNanos();
    if (nowNanos < settledNanos) {
      return;
    }
    Bucket.Taking taking = central[0].take(ONE, nowNanos);
    central[0] = taking.after();
    shares.asked++;
    if (taking.admitted()) {
      shares.centrallyAdmitted++;
    }
    if (admitted) {
      shares.admitted++;
      shares.byRegion[region]++;
    } else if (taking.admitted()) {
      shares.refusedAlone++;
    }
  }

  /**
   * Asks for half more than the quota, the whole of it in one region at a time, without a pause.
   *
   * @return for each move, the time to the first admission from which on, for an interval, those in
   *     the new region are never more than 10 ms behind 95 % of the quota, less the silent floors;
   *     those from its own floor, which were there before, do not count
   */
  private List<Long> moves(Fleet fleet, int count) {
    List<Long> took = new ArrayList<>();
    int region = random.nextInt(REGIONS.size());
    for (int i = 0; i <= count; i++) {
      region = (region + 1 + random.nextInt(REGIONS.size() - 1)) % REGIONS.size();
      long lengthNanos = 2 * Nanos.SECOND_NANOS + random.nextLong(2 * INTERVAL_NANOS);
      List<Long> admitted = ask(fleet, REGIONS.get(region).name(), lengthNanos);
      if (i > 0) {
        took.add(reached(admitted, lengthNanos));
      }
    }
    return took;
  }

  private static List<Long> ask(Fleet fleet, String region, long lengthNanos) {
    long fromNanos = fleet.time().nowNanos();
    long everyNanos = Nanos.SECOND_NANOS * 2 / (3 * RATE);
    List<Long> admitted = new ArrayList<>();
    for (long at = 0; at < lengthNanos; at += everyNanos) {
      fleet
          .time()
          .after(
              at,
              () -> {
                if (agent(fleet, region).take(BUCKET, ONE)) {
                  admitted.add(fleet.time().nowNanos() - fromNanos);
                }
              });
    }
    fleet.runFor(lengthNanos);
    return admitted;
  }

  private static long reached(List<Long> admitted, long lengthNanos) {
    double perNano = 0.95 * (RATE - SILENT_FLOORS) / Nanos.SECOND_NANOS;
    int own = (int) (BURST * 0.1 / REGIONS.size());
    for (int i = own; i < admitted.size(); i++) {
      long start = admitted.get(i);
      int after = i;
      boolean reached = true;
      for (long in = 0; in <= INTERVAL_NANOS && reached; in += Nanos.MILLISECOND_NANOS) {
        while (after < admitted.size() && admitted.get(after) <= start + in) {
          after++;
        }
        reached = after - i >= perNano * (in - 10 * Nanos.MILLISECOND_NANOS);
      }
      if (reached) {
        return start;
      }
    }
    return lengthNanos;
  }

  private Fleet fleet(long delayNanos) {
    Fleet fleet =
        new Fleet(LeaseTiming.DEFAULT, Rules.ALL, random, random.nextLong(), 0, List.of(BUCKET));
    QuotaSpec quota =
        QuotaSpec.leased(QUOTA, List.of(), Rate.perSecond(RATE), BURST * ONE)
            .withMaxCost(10 * ONE)
            .withLease(LeaseTerms.DEFAULT);
    fleet.quotas(REGIONS, List.of(quota));
    fleet.startCoordinator(Desk.Start.FIRST, 0);
    for (Region region : REGIONS) {
      fleet.network().link(region.name()).delayNanos = delayNanos;
      SimClock clock = new SimClock(fleet.time(), random.nextLong(), 0, 0);
      fleet
          .time()
          .after(
              (long) (random.nextDouble() * INTERVAL_NANOS),
              () -> fleet.startAgent(region.name(), region.name(), 1, clock, QuotaBook.EMPTY));
    }
    fleet.checking(false);
    fleet.runFor(1 * Nanos.SECOND_NANOS);
    return fleet;
  }

  private static SimAgent agent(Fleet fleet, String region) {
    SimAgent agent = fleet.agent(region);
    if (agent == null) {
      throw new IllegalStateException("no agent in " + region);
    }
    return agent;
  }
}
