package dev.weir.core.bucket;

import static dev.weir.core.bucket.Lengths.millisNanos;
import static dev.weir.core.bucket.Lengths.secondsNanos;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A thread that is held up between reading its clock and changing the word. Until it goes on, the
 * word was changed by somebody, then its compare-and-set fails and it decides again with its old
 * instant; or it was not, then all of the decision might as well have happened now. Either way it
 * is a decision made now with an old instant, and so it is played here.
 */
class HeldUpDecisionTest {
  private static final long TOKEN = Tokens.MICROS_PER_TOKEN;

  /** Shortly before the clock wraps. */
  private static final long START = Long.MAX_VALUE - millisNanos(500);

  private static final long END = START + secondsNanos(1);

  /** Makes next to nothing, so that all that counts is what there was. */
  private static final Rate HARDLY_ANY = new Rate(1, secondsNanos(3600));

  private static Footing footing(Standing standing, long burst) {
    return Footing.lasting(
        standing, new Share(HARDLY_ANY.micros(), burst * TOKEN), HARDLY_ANY.perNanos());
  }

  /** A full lease of 100 until {@link #END}, and a floor of 10 after it. */
  private static HotBucket leased() {
    Footing lease =
        footing(Standing.LEASE, 100).until(END, footing(Standing.LEASE_EXPIRED, 10), Rules.ALL);
    HotBucket bucket = new HotBucket(SharedTerms.first(footing(Standing.FLOOR, 10), 0, START));
    long unused = bucket.change(new Change(lease, 100 * TOKEN, 0), START);
    return bucket;
  }

  private static long spend(HotBucket bucket, long nowNanos) {
    long spent = 0;
    while (bucket.take(TOKEN, nowNanos) >= 0) {
      spent++;
    }
    return spent;
  }

  @Test
  void pastTheEndOfALeaseThatNobodyLookedAtItTakesWhatThereWasAndNoMore() {
    HotBucket bucket = leased();
    // Long after the end; each of these read its clock before.
    assertThat(bucket.take(95 * TOKEN, END - 1)).isEqualTo(5 * TOKEN);
    // What they took is missing now: of the floor's ten there are five.
    assertThat(bucket.levelAt(END + secondsNanos(60)) / TOKEN).isEqualTo(5);
  }

  @Test
  void onceAnybodyHasLookedAfterTheEndNothingOfTheLeaseIsTakenAnyMore() {
    HotBucket bucket = leased();
    assertThat(bucket.levelAt(END)).isEqualTo(10 * TOKEN);
    assertThat(spend(bucket, END - 1)).isEqualTo(10);
    assertThat(spend(bucket, START)).isZero();
  }

  @Test
  void whatWasGivenBackIsNotTakenByADecisionFromBefore() {
    HotBucket bucket = leased();
    long cut = bucket.change(Change.to(footing(Standing.FLOOR, 10)), START + millisNanos(200));
    assertThat(cut).isEqualTo(90 * TOKEN);
    assertThat(spend(bucket, START + millisNanos(100))).isEqualTo(10);
  }

  @Test
  void afterARunHasEndedADecisionFromBeforeTakesNothing() {
    HotBucket bucket = leased();
    long unused =
        bucket.change(Change.to(Footing.nothing(Standing.FENCED)), START + millisNanos(200));
    assertThat(spend(bucket, START + millisNanos(100))).isZero();
  }

  @Test
  void aLaterLeaseIsTakenFromAsItWasWhenItBegan() {
    HotBucket bucket = leased();
    Footing later = footing(Standing.LEASE, 100);
    long unused = bucket.change(new Change(later, 30 * TOKEN, 10 * TOKEN), END + 5);
    // Ten were left of the one before, thirty came along.
    assertThat(spend(bucket, START)).isEqualTo(40);
    assertThat(spend(bucket, END + secondsNanos(1))).isZero();
  }

  /**
   * Lease after lease, with tokens, shrunk or run out; decisions up to three seconds late. What was
   * taken and what was reported as cut off were never more than there was and was made.
   */
  @Seeds
  void whateverHappensMeanwhileATokenIsTakenOrGivenBackOnce(Random random) {
    Rate rate = Quotas.anyRate(random);
    Share floor = new Share(rate.micros(), Quotas.between(random, 1, 50 * TOKEN));
    Footing onFloor = Footing.lasting(Standing.FLOOR, floor, rate.perNanos());
    HotBucket bucket = new HotBucket(SharedTerms.first(onFloor, 0, START));
    long elapsed = 0;
    long granted = 0;
    long gone = 0;
    for (int step = 0; step < 300; step++) {
      elapsed += Quotas.between(random, 0, millisNanos(200));
      long now = START + elapsed;
      if (random.nextInt(6) == 0) {
        long burst = Quotas.between(random, 1, 200 * TOKEN);
        Footing lease =
            Footing.lasting(Standing.LEASE, new Share(rate.micros(), burst), rate.perNanos())
                .until(now + 1 + Quotas.between(random, 0, secondsNanos(1)), onFloor, Rules.ALL);
        long tokens = Quotas.between(random, 0, 100 * TOKEN);
        granted += tokens;
        gone += bucket.change(new Change(lease, tokens, 0), now);
      } else {
        long late = random.nextBoolean() ? 0 : Quotas.between(random, 0, secondsNanos(3));
        long cost = Quotas.between(random, 1, 20 * TOKEN);
        gone += bucket.take(cost, now - late) >= 0 ? cost : 0;
      }
      long made = rate.minted(elapsed) + 1;
      assertThat(gone - granted)
          .as("step %d, rate %s", step, rate)
          .isLessThanOrEqualTo(made < 0 ? Long.MAX_VALUE : made);
    }
  }

  /** Threads that have read the clock before the end, and are let go after it. */
  @Test
  void manyThreadsHeldUpPastTheEndTakeNoMoreThanThereWas() throws Exception {
    for (boolean lookedAt : new boolean[] {false, true}) {
      HotBucket bucket = leased();
      int threads = 8;
      CountDownLatch haveRead = new CountDownLatch(threads);
      CountDownLatch go = new CountDownLatch(1);
      ExecutorService pool = Executors.newFixedThreadPool(threads);
      try {
        List<Future<Long>> taken = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          long readNanos = END - 1 - i;
          taken.add(
              pool.submit(
                  () -> {
                    haveRead.countDown();
                    go.await();
                    return bucket.take(30 * TOKEN, readNanos) >= 0 ? 30L : 0;
                  }));
        }
        assertThat(haveRead.await(10, TimeUnit.SECONDS)).isTrue();
        if (lookedAt) {
          assertThat(bucket.levelAt(END + secondsNanos(1))).isEqualTo(10 * TOKEN);
        }
        go.countDown();
        long sum = 0;
        for (Future<Long> one : taken) {
          sum += one.get(10, TimeUnit.SECONDS);
        }
        // One request of each thread at most, and of those what there were tokens for.
        assertThat(sum).isEqualTo(lookedAt ? 0 : 90);
        assertThat(bucket.levelAt(END + secondsNanos(2))).isEqualTo(10 * TOKEN);
      } finally {
        pool.shutdownNow();
      }
    }
  }
}
