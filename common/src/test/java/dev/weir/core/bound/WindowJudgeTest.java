package dev.weir.core.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Tokens;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WindowJudgeTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long TOKEN = Tokens.MICROS_PER_TOKEN;
  private static final int NO_DRIFT = 0;

  /** Close to the end of {@code long}, so that time wraps within the tests. */
  private static final long START = LongStream.of(Long.MAX_VALUE - SECOND / 2).sum();

  private final WindowJudge judge = new WindowJudge(Rate.perSecond(10), 5 * TOKEN, NO_DRIFT);

  @Test
  void anEmptyHistoryHoldsAndLeavesAllTheBurst() {
    assertThat(judge.worst().held()).isTrue();
    assertThat(judge.worst().excessMicros()).isEqualTo(-5 * TOKEN);
    assertThat(judge.totalMicros()).isZero();
  }

  @Test
  void theBurstAtOneInstantIsAllowedAndOneMicroTokenMoreIsNot() {
    judge.admitted(START, 5 * TOKEN);
    assertThat(judge.worst().excessMicros()).isZero();
    assertThat(judge.worst().held()).isTrue();

    judge.admitted(START, 1);
    assertThat(judge.worst().overshootMicros()).isEqualTo(1);
    assertThat(judge.worst().held()).isFalse();
  }

  @Test
  void burstAndThenTheRefillOfTheTimeBetweenIsAllowedAndOneMicroTokenMoreIsNot() {
    judge.admitted(START, 5 * TOKEN);
    judge.admitted(START + SECOND / 2, 5 * TOKEN);
    judge.admitted(START + SECOND, 5 * TOKEN);
    assertThat(judge.worst().excessMicros()).isZero();

    judge.admitted(START + SECOND, 1);
    assertThat(judge.worst()).isEqualTo(new Overshoot(1, START, START + SECOND, 15 * TOKEN + 1));
  }

  @Test
  void aWindowInTheMiddleIsFoundWhereTheWholeHistoryIsFine() {
    judge.admitted(START, TOKEN);
    judge.admitted(START + 10 * SECOND, 4 * TOKEN);
    judge.admitted(START + 10 * SECOND + SECOND / 10, 4 * TOKEN);
    judge.admitted(START + 60 * SECOND, TOKEN);

    Overshoot worst = judge.worst();
    assertThat(worst.overshootMicros()).isEqualTo(2 * TOKEN);
    assertThat(worst.fromNanos()).isEqualTo(START + 10 * SECOND);
    assertThat(worst.lengthNanos()).isEqualTo(SECOND / 10);
    assertThat(worst.admittedMicros()).isEqualTo(8 * TOKEN);
    assertThat(judge.totalMicros()).isEqualTo(10 * TOKEN);
  }

  @Test
  void aSmallExcessThatComesAgainAndAgainAddsUp() {
    for (int i = 0; i <= 1000; i++) {
      judge.admitted(START + i * SECOND / 100, TOKEN * 101 / 1000);
    }
    // 10.1/s for 10 s, less the burst of 5 that the first second's worth may come from: far below.
    assertThat(judge.worst().held()).isTrue();
    for (int i = 1001; i <= 10_000; i++) {
      judge.admitted(START + i * SECOND / 100, TOKEN * 101 / 1000);
    }
    // 10,001 x 0.101 - (10/s x 100 s) - 5
    assertThat(judge.worst().overshootMicros()).isEqualTo(5_101_000);
  }

  @Test
  void driftIsAllowedExactly() {
    WindowJudge drifting = new WindowJudge(Rate.perSecond(10), TOKEN, 500);
    drifting.admitted(START, TOKEN);
    for (int i = 1; i <= 20_000; i++) {
      drifting.admitted(START + i * SECOND / 20, 500_250);
    }
    assertThat(drifting.worst().excessMicros()).isZero();
    assertThat(drifting.allowedMicros(1000 * SECOND)).isEqualTo(10_006 * TOKEN);
  }

  @Test
  void anOvershootOfAFractionIsRoundedUp() {
    WindowJudge slow = new WindowJudge(new Rate(TOKEN, 3 * SECOND), TOKEN, NO_DRIFT);
    slow.admitted(START, TOKEN);
    slow.admitted(START + SECOND, 333_333);
    assertThat(slow.worst().held()).isTrue();
    slow.admitted(START + SECOND, 1);
    assertThat(slow.worst().overshootMicros()).isEqualTo(1);
  }

  @Test
  void termsAddTheirTokensAndTheirRates() {
    BoundTerm once = new BoundTerm("a", 2 * TOKEN, Rate.ZERO, true, "");
    BoundTerm flowing = new BoundTerm("b", 0, new Rate(TOKEN, 3 * SECOND), true, "");
    WindowJudge lenient =
        new WindowJudge(Rate.perSecond(10), 5 * TOKEN, NO_DRIFT, List.of(once, flowing));
    assertThat(lenient.allowedMicros(0)).isEqualTo(7 * TOKEN);
    assertThat(lenient.allowedMicros(3 * SECOND)).isEqualTo(38 * TOKEN);
    lenient.admitted(START, 7 * TOKEN);
    for (int i = 1; i <= 5; i++) {
      lenient.admitted(START + i * (3 * SECOND / 5), 6_200_000);
    }
    assertThat(lenient.worst().excessMicros()).isZero();
  }

  @Test
  void theLargestNumbersNeitherWrapNorRound() {
    WindowJudge large =
        new WindowJudge(new Rate(Long.MAX_VALUE, Rate.MAX_PER_NANOS), Long.MAX_VALUE, 1_000_000);
    large.admitted(0, Long.MAX_VALUE);
    large.admitted(0, Long.MAX_VALUE);
    large.admitted(0, Long.MAX_VALUE);
    assertThat(large.worst().excessMicros()).isEqualTo(Long.MAX_VALUE);
    assertThat(large.worst().admittedMicros()).isEqualTo(Long.MAX_VALUE);
    assertThat(large.allowedMicros(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aRateOfZeroIsTheBurstForAllTime() {
    WindowJudge never = new WindowJudge(Rate.ZERO, TOKEN, 500);
    never.admitted(0, TOKEN);
    never.admitted(Long.MAX_VALUE, 1);
    assertThat(never.worst().overshootMicros()).isEqualTo(1);
  }

  @Test
  void whatCannotBeJudgedIsRefusedWithItsNumbers() {
    judge.admitted(START, TOKEN);
    assertThatThrownBy(() -> judge.admitted(START - 7, TOKEN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("7 ns before");
    assertThatThrownBy(() -> judge.admitted(START, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> new WindowJudge(Rate.ZERO, 0, 1_000_001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000001");
    BoundTerm unbounded = new BoundTerm("lease-expired", 0, Rate.ZERO, false, "");
    assertThatThrownBy(() -> new WindowJudge(Rate.ZERO, 0, 0, List.of(unbounded)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lease-expired");
  }
}
