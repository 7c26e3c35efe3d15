package dev.weir.core.bucket;

import static dev.weir.core.bucket.Lengths.millisNanos;
import static dev.weir.core.bucket.Lengths.secondsNanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Limiter.Kind;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults seen in the field in products of this kind, by their number; each for both buckets. */
class CasesTest {
  private static final long TOKEN = Tokens.MICROS_PER_TOKEN;

  /** Shortly before the clock wraps, so that every case crosses it. */
  private static final long START = Long.MAX_VALUE - millisNanos(150);

  /** C1. */
  @Test
  void c1ARenewalEvery100MillisecondsAddsNoToken() {
    long end = START + secondsNanos(1);
    HotBucket bucket = leased(10, 0, end);
    long admitted = 0;
    for (int i = 0; i < 600; i++) {
      long now = START + millisNanos(100L * i);
      assertThat(bucket.renew(lease(10, now + secondsNanos(1)), now)).isTrue();
      admitted += bucket.take(TOKEN, now) >= 0 ? 1 : 0;
    }
    // 59.9 s at 10 a second, from empty.
    assertThat(admitted).isEqualTo(599);
  }

  /** C1. */
  @Test
  void c1AnUnchangedLeaseSaidAnewAddsNoTokenEither() {
    HotBucket bucket = leased(10, 0, START + secondsNanos(1));
    long admitted = 0;
    for (int i = 0; i < 600; i++) {
      long now = START + millisNanos(100L * i);
      bucket.change(Change.to(lease(10, now + secondsNanos(1))), now);
      admitted += bucket.take(TOKEN, now) >= 0 ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(599);
  }

  /** C2. */
  @ParameterizedTest
  @EnumSource
  void c2AQuotaThatFlapsBetween100And101MakesNoToken(Kind kind) {
    Limiter limiter = kind.of(Rate.perSecond(100), 100, 0, START);
    long admitted = 0;
    for (int i = 1; i <= 6_000; i++) {
      long now = START + millisNanos(10L * i);
      limiter.change(Rate.perSecond(100 + i % 2), 100, now);
      admitted += limiter.admits(1, now) ? 1 : 0;
    }
    // 60 s: half of them at 100, half at 101 a second.
    assertThat(admitted).isBetween(5_999L, 6_030L);
    assertThat(limiter.levelAt(START + secondsNanos(60)))
        .isLessThanOrEqualTo(6_030 * TOKEN - admitted * TOKEN);
  }

  /** C11. */
  @ParameterizedTest
  @EnumSource
  void c11OddRatesAreExact(Kind kind) {
    Limiter tenPerHalfSecond = kind.of(Rate.of(10, millisNanos(500)), 10, 0, START);
    assertThat(tenPerHalfSecond.take(TOKEN, START)).isEqualTo(-millisNanos(50));
    assertThat(tenPerHalfSecond.levelAt(START + millisNanos(500))).isEqualTo(10 * TOKEN);

    Limiter onePer90 = kind.of(Rate.of(1, secondsNanos(90)), 1, 0, START);
    assertThat(onePer90.take(TOKEN, START)).isEqualTo(-secondsNanos(90));
    assertThat(onePer90.admits(1, START + secondsNanos(90) - 1)).isFalse();
    assertThat(onePer90.admits(1, START + secondsNanos(90))).isTrue();

    long week = secondsNanos(7 * 24 * 3600);
    Limiter sevenPerWeek = kind.of(Rate.of(7, week), 7, 0, START);
    for (int i = 1; i <= 70; i++) {
      // Asked at each of ten weeks' sevenths, rounded up: the first instant it is there.
      long now = START + (week * i + 6) / 7;
      assertThat(sevenPerWeek.admits(1, now - 1)).isFalse();
      assertThat(sevenPerWeek.admits(1, now)).isTrue();
    }
  }

  /** C12. */
  @ParameterizedTest
  @EnumSource
  void c12FractionsAreKeptAcrossDecisions(Kind kind) {
    Limiter limiter = kind.of(Rate.of(10, secondsNanos(30)), 10, 0, START);
    for (int second = 1; second <= 300; second++) {
      assertThat(limiter.admits(1, START + secondsNanos(second))).isEqualTo(second % 3 == 0);
    }
  }

  /** C13. */
  @ParameterizedTest
  @EnumSource
  void c13ANegativeCostIsAnErrorAndChangesNothing(Kind kind) {
    Limiter limiter = kind.of(Rate.perSecond(1), 10, 0, START);
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.take(-1_000 * TOKEN, START));
    assertThat(limiter.levelAt(START)).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> limiter.take(Long.MIN_VALUE, START));
    assertThat(limiter.levelAt(START)).isZero();
  }

  /** C14. */
  @ParameterizedTest
  @EnumSource
  void c14ACostAboveTheBurstIsRefusedAsNeverAndTakesNothing(Kind kind) {
    Limiter limiter = kind.full(Rate.perSecond(10), 10, START);
    assertThat(limiter.take(1_000 * TOKEN, START)).isEqualTo(HotBucket.NEVER);
    assertThat(limiter.levelAt(START)).isEqualTo(10 * TOKEN);
  }

  /** C15. */
  @ParameterizedTest
  @EnumSource
  void c15TheFastestRateIsFullAfterHalfADayAndAfterThreeHundredYears(Kind kind) {
    long billion = 1_000_000_000L;
    long year = secondsNanos(365L * 24 * 3600);
    for (long idle : new long[] {secondsNanos(12 * 3600), 100 * year, 292 * year, 300 * year}) {
      Limiter limiter = kind.of(Rate.perSecond(billion), billion, 0, START);
      long now = START + idle;
      assertThat(limiter.take(billion * TOKEN, now)).isZero();
      assertThat(limiter.take(TOKEN, now)).isEqualTo(-1);
    }
  }

  /** C16. */
  @ParameterizedTest
  @EnumSource
  void c16TheWaitCountsFromWhenTheLastTokenWasTaken(Kind kind) {
    Limiter limiter = kind.full(Rate.perSecond(1), 1, START);
    assertThat(limiter.admits(1, START)).isTrue();
    assertThat(limiter.take(TOKEN, START + millisNanos(200))).isEqualTo(-millisNanos(800));
    Limiter third = kind.of(Rate.of(3, secondsNanos(1)), 1, 0, START);
    // A third of a second does not end with a whole nanosecond.
    assertThat(third.take(TOKEN, START)).isEqualTo(-333_333_334L);
  }

  /** C17. */
  @ParameterizedTest
  @EnumSource
  void c17AClockThatJumpsToAndFroMakesNoToken(Kind kind) {
    Limiter limiter = kind.full(Rate.perSecond(1), 5, START);
    long admitted = 0;
    for (int i = 0; i < 1_000; i++) {
      admitted += limiter.admits(1, START - secondsNanos(i % 2)) ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(5);
  }

  /** C18. */
  @ParameterizedTest
  @EnumSource
  void c18LimitZeroAdmitsItsBurstOnceAndThenSaysNever(Kind kind) {
    Limiter limiter = kind.full(new Rate(0, secondsNanos(1)), 1, START);
    assertThat(limiter.admits(1, START)).isTrue();
    assertThat(limiter.take(TOKEN, START)).isEqualTo(HotBucket.NEVER);
    assertThat(limiter.take(TOKEN, START + secondsNanos(1L << 30))).isEqualTo(HotBucket.NEVER);
  }

  /** C19. */
  @Test
  void c19WhatDoesNotFitIsRefusedNotWrapped() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> footing(new Share(Long.MAX_VALUE, TOKEN)))
        .withMessageContaining("rateMicros");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> footing(new Share(TOKEN, Long.MAX_VALUE)))
        .withMessageContaining("burstMicros");
  }

  /** C19. */
  @ParameterizedTest
  @EnumSource
  void c19TheLargestThatFitsIsExactAndTheLargestCostNeverWraps(Kind kind) {
    Limiter limiter =
        kind.full(new Rate(Tokens.MAX_MICROS, secondsNanos(1)), Tokens.MAX_TOKENS, START);
    assertThat(limiter.take(Long.MAX_VALUE, START)).isEqualTo(HotBucket.NEVER);
    assertThat(limiter.take(Tokens.MAX_MICROS, START)).isZero();
    assertThat(limiter.take(Tokens.MAX_MICROS, START)).isEqualTo(-secondsNanos(1));
    assertThat(limiter.take(Tokens.MAX_MICROS, START + secondsNanos(1))).isZero();
  }

  /** C19. */
  @Test
  void c19TheLargestCostNeverWrapsWhereAnotherThreadsClockIsAheadEither() {
    HotBucket bucket =
        new HotBucket(SharedTerms.first(footing(new Share(60 * TOKEN, 10 * TOKEN)), 0, START));
    assertThat(bucket.take(10 * TOKEN, START + secondsNanos(10))).isZero();
    // Of what was made by its own instant everything is taken, and more.
    assertThat(bucket.take(Long.MAX_VALUE, START)).isEqualTo(HotBucket.NEVER);
    assertThat(bucket.take(Long.MAX_VALUE, START + secondsNanos(5))).isEqualTo(HotBucket.NEVER);
    assertThat(bucket.levelAt(START)).isZero();
  }

  /** C20. */
  @ParameterizedTest
  @EnumSource
  void c20SixAMinuteIsOneEveryTenSeconds(Kind kind) {
    Limiter limiter = kind.full(Rate.of(6, secondsNanos(60)), 1, START);
    for (int i = 0; i < 100; i++) {
      long now = START + secondsNanos(10L * i);
      assertThat(limiter.admits(1, now)).isTrue();
      assertThat(limiter.take(TOKEN, now + 1)).isEqualTo(1 - secondsNanos(10));
    }
  }

  /** C23. */
  @ParameterizedTest
  @EnumSource
  void c23RaisingAQuotaAdmitsNothingByItself(Kind kind) {
    Rate ten = Rate.of(10, secondsNanos(3600));
    Rate twenty = Rate.of(20, secondsNanos(3600));
    Limiter limiter = kind.full(ten, 10, START);
    long admitted = 0;
    for (int i = 0; i < 50; i++) {
      admitted += limiter.admits(1, START) ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(10);

    limiter.change(twenty, 20, START);
    assertThat(limiter.admits(1, START)).isFalse();
    for (int i = 0; i < 100; i++) {
      limiter.change(i % 2 == 0 ? ten : twenty, i % 2 == 0 ? 10 : 20, START);
    }
    assertThat(limiter.take(TOKEN, START)).isEqualTo(-secondsNanos(180));
    assertThat(limiter.admits(1, START + secondsNanos(180))).isTrue();
    assertThat(limiter.admits(1, START + secondsNanos(359))).isFalse();
  }

  /** C24. */
  @ParameterizedTest
  @EnumSource
  void c24ALoweredBurstCountsAtOnceAndTheSameFileRefillsNothing(Kind kind) {
    Rate rate = Rate.of(1, secondsNanos(3600));
    Limiter limiter = kind.full(rate, 20, START);
    limiter.change(rate, 10, START);
    assertThat(limiter.levelAt(START)).isEqualTo(10 * TOKEN);
    for (int second = 0; second < 100; second++) {
      limiter.change(rate, 10, START + secondsNanos(second));
      limiter.admits(1, START + secondsNanos(second));
    }
    assertThat(limiter.levelAt(START + secondsNanos(100))).isLessThan(TOKEN);
  }

  /** C25. */
  @ParameterizedTest
  @EnumSource
  void c25TimeBeforeAChangeIsPricedAtTheOldRate(Kind kind) {
    Limiter limiter = kind.of(Rate.of(10, secondsNanos(20)), 2_000, 0, START);
    long changed = START + secondsNanos(10);
    limiter.change(Rate.of(1_000, secondsNanos(20)), 2_000, changed);
    assertThat(limiter.levelAt(changed)).isEqualTo(5 * TOKEN);
    assertThat(limiter.levelAt(changed + secondsNanos(1))).isEqualTo(55 * TOKEN);
  }

  /** C29. */
  @Test
  void c29EightRequestsAtOnceAndFiveTokensAreExactlyFive() throws Exception {
    for (int round = 0; round < 200; round++) {
      assertThat(admittedAtOnce(5, 8, 1)).isEqualTo(5);
    }
  }

  /** C30. */
  @ParameterizedTest
  @EnumSource
  void c30TheThirdRequestOfTwoAMinuteHasNothingLeftAndAWait(Kind kind) {
    Limiter limiter = kind.full(Rate.of(2, secondsNanos(60)), 2, START);
    assertThat(limiter.take(TOKEN, START)).isEqualTo(TOKEN);
    assertThat(limiter.take(TOKEN, START)).isZero();
    assertThat(limiter.take(TOKEN, START)).isEqualTo(-secondsNanos(30));
    assertThat(limiter.admits(1, START + secondsNanos(30))).isTrue();
  }

  /** C31. */
  @ParameterizedTest
  @EnumSource
  void c31TenThousandASecondDrainedNamesATrueWait(Kind kind) {
    Limiter limiter = kind.of(Rate.perSecond(10_000), 10_000, 0, START);
    long wait = -limiter.take(TOKEN, START + 7);
    assertThat(wait).isEqualTo(millisNanos(1) / 10 - 7);
    assertThat(limiter.admits(1, START + 7 + wait - 1)).isFalse();
    assertThat(limiter.admits(1, START + 7 + wait)).isTrue();
  }

  /** C32. */
  @ParameterizedTest
  @EnumSource
  void c32WorkedByHand(Kind kind) {
    Limiter limiter = kind.of(Rate.perSecond(5), 20, 3_500_000, START);
    assertThat(limiter.take(4 * TOKEN, START + millisNanos(300))).isEqualTo(TOKEN);
    assertThat(limiter.levelAt(START + millisNanos(500))).isEqualTo(2 * TOKEN);
    assertThat(limiter.take(4 * TOKEN, START + millisNanos(500))).isEqualTo(-millisNanos(400));
  }

  /** C33. */
  @ParameterizedTest
  @EnumSource
  void c33WorkedByHand(Kind kind) {
    Limiter limiter = kind.full(Rate.perSecond(1), 5, START);
    long[] left = {4_000_000, 3_100_000, 2_200_000, 1_300_000, 400_000};
    for (int i = 0; i < left.length; i++) {
      assertThat(limiter.take(TOKEN, START + millisNanos(100L * i))).isEqualTo(left[i]);
    }
    assertThat(limiter.take(TOKEN, START + millisNanos(500))).isEqualTo(-millisNanos(500));
    assertThat(limiter.take(TOKEN, START + millisNanos(1_500))).isEqualTo(500_000);
  }

  /** C34. */
  @Test
  void c34TwoHundredAtOnceFromFiftyConnectionsAreExactlyOneHundred() throws Exception {
    assertThat(admittedAtOnce(100, 50, 4)).isEqualTo(100);
  }

  /** How many of {@code threads · each} requests pass a full bucket at one and the same instant. */
  private static long admittedAtOnce(long tokens, int threads, int each) throws Exception {
    HotBucket bucket =
        new HotBucket(
            SharedTerms.first(
                footing(new Share(100 * TOKEN, tokens * TOKEN)), tokens * TOKEN, START));
    CountDownLatch go = new CountDownLatch(1);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Long>> admitted = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        admitted.add(
            pool.submit(
                () -> {
                  go.await();
                  long passed = 0;
                  for (int j = 0; j < each; j++) {
                    passed += bucket.take(TOKEN, START) >= 0 ? 1 : 0;
                  }
                  return passed;
                }));
      }
      go.countDown();
      long sum = 0;
      for (Future<Long> one : admitted) {
        sum += one.get();
      }
      return sum;
    } finally {
      pool.shutdownNow();
    }
  }

  private static Footing footing(Share share) {
    return Footing.lasting(Standing.FLOOR, share, secondsNanos(60));
  }

  private static Footing lease(long tokensPerSecond, long endNanos) {
    Share share = new Share(tokensPerSecond * TOKEN, tokensPerSecond * TOKEN);
    return Footing.lasting(Standing.LEASE, share, secondsNanos(1))
        .until(endNanos, Footing.nothing(Standing.LEASE_EXPIRED), Rules.ALL);
  }

  private static HotBucket leased(long tokensPerSecond, long levelMicros, long endNanos) {
    return new HotBucket(SharedTerms.first(lease(tokensPerSecond, endNanos), levelMicros, START));
  }
}
