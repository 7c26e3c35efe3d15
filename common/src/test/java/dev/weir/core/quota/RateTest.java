package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RateTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long DAY = 86_400 * SECOND;
  private static final long YEARS_292 = Long.MAX_VALUE;

  @Test
  void tenPer500MillisecondsIsExact() {
    Rate rate = Rate.of(10, 500 * MILLI);
    assertThat(rate.minted(50 * MILLI)).isEqualTo(Tokens.micros(1));
    assertThat(rate.minted(50 * MILLI - 1)).isEqualTo(Tokens.micros(1) - 1);
    assertThat(rate.minted(500 * MILLI)).isEqualTo(Tokens.micros(10));
    assertThat(rate.minted(365 * DAY)).isEqualTo(Tokens.micros(20L * 365 * 86_400));
    assertThat(rate.nanosToMint(Tokens.micros(1))).isEqualTo(50 * MILLI);
  }

  @Test
  void onePer90SecondsIsExact() {
    Rate rate = Rate.of(1, 90 * SECOND);
    assertThat(rate.minted(90 * SECOND)).isEqualTo(Tokens.micros(1));
    assertThat(rate.minted(90 * SECOND - 1)).isEqualTo(Tokens.micros(1) - 1);
    assertThat(rate.minted(960 * 90 * SECOND)).isEqualTo(Tokens.micros(960));
    assertThat(rate.nanosToMint(Tokens.micros(3))).isEqualTo(270 * SECOND);
  }

  @Test
  void sevenPerWeekIsExact() {
    Rate rate = Rate.of(7, 7 * DAY);
    assertThat(rate.minted(7 * DAY)).isEqualTo(Tokens.micros(7));
    assertThat(rate.minted(DAY)).isEqualTo(Tokens.micros(1));
    assertThat(rate.minted(DAY - 1)).isEqualTo(Tokens.micros(1) - 1);
    assertThat(rate.nanosToMint(Tokens.micros(1))).isEqualTo(DAY);
  }

  @Test
  void sixPerMinuteIsOneEveryTenSeconds() {
    assertThat(Rate.of(6, 60 * SECOND).nanosToMint(Tokens.micros(1))).isEqualTo(10 * SECOND);
    assertThat(new Rate(100_000, SECOND).nanosToMint(Tokens.micros(1))).isEqualTo(10 * SECOND);
  }

  @Test
  void theFastestRateIsExactAfterHoursAndDoesNotOverflowAfterCenturies() {
    Rate rate = Rate.perSecond(1_000_000_000L);
    assertThat(rate.minted(1)).isEqualTo(Tokens.micros(1));
    assertThat(rate.minted(900 * SECOND)).isEqualTo(Tokens.micros(900_000_000_000L));
    assertThat(rate.minted(12 * 3600 * SECOND)).isEqualTo(Long.MAX_VALUE);
    assertThat(rate.minted(YEARS_292)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void waitingTimesRoundUp() {
    assertThat(new Rate(3, 10).nanosToMint(1)).isEqualTo(4);
    assertThat(new Rate(3, 10).nanosToMint(3)).isEqualTo(10);
    assertThat(new Rate(1, Rate.MAX_PER_NANOS).nanosToMint(Long.MAX_VALUE))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void nothingIsMadeInTimeThatDidNotPass() {
    assertThat(Rate.perSecond(1).minted(0)).isZero();
    assertThat(Rate.perSecond(1).minted(-SECOND)).isZero();
    assertThat(Rate.perSecond(1).minted(Long.MIN_VALUE)).isZero();
    assertThat(Rate.perSecond(1).nanosToMint(0)).isZero();
    assertThat(Rate.perSecond(1).nanosToMint(-1)).isZero();
  }

  @Test
  void aRateOfZeroNeverMakesAnything() {
    assertThat(Rate.ZERO.minted(Long.MAX_VALUE)).isZero();
    assertThat(Rate.ZERO.nanosToMint(1)).isEqualTo(Long.MAX_VALUE);
    assertThat(Rate.ZERO.nanosToMint(0)).isZero();
  }

  @Test
  void aRateOverAnotherTimeRoundsAsAsked() {
    Rate rate = new Rate(10, 3);
    assertThat(rate.toPer(1, false)).isEqualTo(new Rate(3, 1));
    assertThat(rate.toPer(1, true)).isEqualTo(new Rate(4, 1));
    assertThat(rate.toPer(6, true)).isEqualTo(new Rate(20, 6));
  }

  @Test
  void reducedIsTheSameSpeedInSmallestNumbers() {
    assertThat(Rate.of(6, 60 * SECOND).reduced()).isEqualTo(new Rate(1, 10_000));
    assertThat(Rate.ZERO.reduced()).isEqualTo(new Rate(0, 1));
  }

  @Test
  void twoFormsOfOneSpeedCompareAsEqual() {
    assertThat(Rate.BY_SPEED.compare(Rate.of(60, 60 * SECOND), Rate.perSecond(1))).isZero();
    assertThat(Rate.of(60, 60 * SECOND)).isNotEqualTo(Rate.perSecond(1));
  }

  @Test
  void refusesWhatIsOutOfRange() {
    assertThatThrownBy(() -> new Rate(-1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("micros must be in [0, 9223372036854775807]: -1");
    assertThatThrownBy(() -> new Rate(1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("perNanos must be in [1, 31622400000000000]: 0");
    assertThatThrownBy(() -> new Rate(1, Rate.MAX_PER_NANOS + 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Rate.perSecond(Tokens.MAX_TOKENS + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tokens must be in [0, 1000000000000]: 1000000000001");
  }
}
