package dev.weir.sim.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.sim.replay.Incident;
import dev.weir.sim.replay.Load;
import dev.weir.sim.replay.Plan;
import dev.weir.sim.replay.Plan.Moment;
import dev.weir.sim.replay.Replay;
import dev.weir.sim.replay.ReplayResult;
import dev.weir.sim.replay.Request;
import dev.weir.sim.replay.Strategy;
import dev.weir.sim.replay.Subject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Ten seconds in which one region asks for five times the quota, and ten in which another one does.
 */
class BaselinesTest {
  static final List<Strategy> ALL = Baselines.ALL;

  private static final long SECOND = 1_000_000_000;
  private static final QuotaId QUOTA = new QuotaId("shop", "api");
  private static final Subject SUBJECT = new Subject("all", List.of(new BucketId(QUOTA, "")));

  private enum Asking {
    /** One after the other. */
    IN_TURN,
    /** At the same time. */
    BOTH
  }

  /** So many requests a second, evenly. */
  private static final class Even implements Load {
    private static final long GAP = SECOND / 5_000;
    private final Asking asking;
    private long at;

    Even(Asking asking) {
      this.asking = asking;
    }

    @Override
    public long nextNanos() {
      return at < 20 * SECOND ? at : NEVER;
    }

    @Override
    public Request take() {
      boolean first = asking == Asking.BOTH ? at / GAP % 2 == 0 : at < 10 * SECOND;
      Request request = new Request(at, first ? "a" : "b", SUBJECT, 1_000_000);
      at += GAP;
      return request;
    }
  }

  private static ReplayResult play(Strategy strategy) {
    return play(strategy, Asking.IN_TURN);
  }

  private static ReplayResult play(Strategy strategy, Asking asking) {
    QuotaSpec quota =
        QuotaSpec.leased(QUOTA, List.of(), new Rate(1_000_000_000, SECOND), 1_000_000_000)
            .withMaxCost(1_000_000);
    DomainBook domain =
        new DomainBook("shop", List.of(new Region("a", 1), new Region("b", 1)), List.of(quota));
    Plan plan =
        new Plan(
            "moving",
            new QuotaBook(1, Map.of("shop", domain)),
            LeaseTiming.DEFAULT,
            Map.of(),
            seed -> new Even(asking),
            List.of(new Moment(10 * SECOND, new Incident.Shift("a", "b", "the load moves"))),
            20 * SECOND,
            SECOND);
    return new Replay(plan, strategy, 1).play(nanos -> {});
  }

  private static Strategy named(String name) {
    return ALL.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @FieldSource("ALL")
  void everyRequestIsDecidedAndTheSameSeedGivesTheSame(Strategy strategy) {
    ReplayResult result = play(strategy);
    assertThat(result.total().asked()).isEqualTo(100_000);
    assertThat(result.total().admittedMicros() + result.total().refusedMicros())
        .isEqualTo(100_000L * 1_000_000);
    ReplayResult again = play(strategy);
    assertThat(again.total()).isEqualTo(result.total());
    assertThat(again.messages()).isEqualTo(result.messages());
  }

  @Test
  void theCentralBucketIsTheOracle() {
    ReplayResult result = play(named("central"));
    assertThat(result.total().admittedMicros()).isEqualTo(result.total().oracleAdmittedMicros());
    assertThat(result.boundHeld()).isTrue();
  }

  /** Half of the quota lies where nobody asks. */
  @Test
  void aStaticSplitUsesHalf() {
    ReplayResult result = play(named("static-split"));
    assertThat(result.boundHeld()).isTrue();
    assertThat(result.total().admittedMicros() / 1e6).isBetween(10_900.0, 11_100.0);
  }

  /** A second burst is there where the load goes. */
  @Test
  void regionsOfTheirOwnAdmitABurstTooMany() {
    ReplayResult result = play(named("each-alone"));
    assertThat(result.overshootMicros() / 1e6).isBetween(990.0, 1_010.0);
  }

  @Test
  void aStoreIsExactAndCostsARoundTrip() {
    ReplayResult result = play(named("strict"));
    assertThat(result.boundHeld()).isTrue();
    assertThat(result.total().admittedMicros())
        .isGreaterThan(result.total().oracleAdmittedMicros() * 99 / 100);
    assertThat(result.latency().meanNanos()).isBetween(59e6, 65e6);
    // The last answers are on their way when it ends.
    assertThat(result.messages()).isBetween(199_000L, 200_000L);
  }

  /** Half of the round trip is over before its 20 ms are: nothing is limited. */
  @Test
  void envoyFailsOpenWhereTheStoreIsFarAway() {
    ReplayResult result = play(named("strict-envoy"));
    assertThat(result.total().refusedMicros()).isZero();
    assertThat(result.boundHeld()).isFalse();
  }

  /** What a region has not heard yet it admits once more. */
  @Test
  void gossipAdmitsTooMuchWhereBothAsk() {
    ReplayResult soon = play(named("gossip"), Asking.BOTH);
    ReplayResult late = play(named("gossip-500ms"), Asking.BOTH);
    assertThat(soon.overshootMicros() / 1e6).isBetween(50.0, 900.0);
    assertThat(late.overshootMicros()).isGreaterThan(soon.overshootMicros());
  }

  @Test
  void proportionalShareFollowsAtItsRefreshAndKeepsTheBound() {
    ReplayResult slow = play(named("doorman"));
    ReplayResult fast = play(named("doorman-100ms"));
    assertThat(fast.total().admittedMicros()).isGreaterThan(slow.total().admittedMicros());
    assertThat(slow.shifts().get(0).convergenceNanos().orElse(1e18)).isGreaterThan(2e9);
    assertThat(fast.shifts().get(0).convergenceNanos().orElse(1e18)).isLessThan(1e9);
  }
}
