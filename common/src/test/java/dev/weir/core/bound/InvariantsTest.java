package dev.weir.core.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import java.util.List;
import org.junit.jupiter.api.Test;

class InvariantsTest {
  private static final Share WHOLE = new Share(100, 1000);
  private static final Party POOL = new Party("pool", new Share(30, 300), 200);
  private static final Party LEASE = new Party("eu-west", new Share(60, 600), 600);
  private static final Party FLOOR = new Party("floor of us-east", new Share(10, 100), 0);

  @Test
  void aQuotaThatIsWhollyAccountedForBreaksNothing() {
    List<Party> all = List.of(POOL, LEASE, FLOOR);
    assertThat(Invariants.partition(WHOLE, all)).isEmpty();
    assertThat(Invariants.tokensWithinBurst(1000, all)).isEmpty();
    assertThat(Invariants.ratesWithinQuota(100, all)).isEmpty();
  }

  @Test
  void exactlyTheBurstAndTheRateAreFineAndOneMoreIsNot() {
    assertThat(Invariants.tokensWithinBurst(800, List.of(POOL, LEASE))).isEmpty();
    assertThat(Invariants.tokensWithinBurst(799, List.of(POOL, LEASE)))
        .singleElement()
        .hasToString(
            "I1: tokens that exist must not exceed the burst of 799 micro-tokens: 800 (pool 200,"
                + " eu-west 600)");
    assertThat(Invariants.ratesWithinQuota(90, List.of(POOL, LEASE))).isEmpty();
    assertThat(Invariants.ratesWithinQuota(89, List.of(POOL, LEASE)))
        .singleElement()
        .hasToString(
            "I2: rates in force must not exceed the quota's 89 micro-tokens: 90 (pool 30,"
                + " eu-west 60)");
  }

  @Test
  void aShareThatIsMissingOrCountedTwiceBreaksThePartition() {
    assertThat(Invariants.partition(WHOLE, List.of(POOL, LEASE)))
        .extracting(Violation::toString)
        .containsExactly(
            "S1: rates must add up to the quota's 100 micro-tokens: 90 (pool 30, eu-west 60)",
            "S1: bursts must add up to the quota's 1000 micro-tokens: 900 (pool 300, eu-west 600)");
    assertThat(Invariants.partition(WHOLE, List.of(POOL, LEASE, FLOOR, FLOOR))).hasSize(2);
  }

  @Test
  void nobodyHasMoreThanItsBurstOrLessThanNone() {
    Party over = new Party("pool", new Share(30, 300), 301);
    Party under = new Party("floor of us-east", new Share(10, 100), -1);
    assertThat(Invariants.partition(WHOLE, List.of(over, LEASE, under)))
        .extracting(Violation::toString)
        .containsExactly(
            "S1: pool must have between 0 and its burst of 300 micro-tokens: 301",
            "S1: floor of us-east must have between 0 and its burst of 100 micro-tokens: -1");
  }

  @Test
  void sumsBeyondALongDoNotWrap() {
    Party huge = new Party("a", new Share(Long.MAX_VALUE, Long.MAX_VALUE), Long.MAX_VALUE);
    List<Party> both = List.of(huge, huge);
    assertThat(Invariants.tokensWithinBurst(Long.MAX_VALUE, both)).hasSize(1);
    assertThat(Invariants.ratesWithinQuota(Long.MAX_VALUE, both)).hasSize(1);
  }

  @Test
  void aWindowBeyondTheBoundIsNamedWithItsNumbers() {
    WindowJudge judge = new WindowJudge(new Rate(10, 1), 100, 0);
    judge.admitted(5, 100);
    assertThat(Invariants.window(judge)).isEmpty();
    judge.admitted(7, 23);
    assertThat(Invariants.window(judge))
        .singleElement()
        .hasToString(
            "window: a window of 2 ns from 5 admitted 123 micro-tokens, 3 more than the bound of"
                + " 120");
  }
}
