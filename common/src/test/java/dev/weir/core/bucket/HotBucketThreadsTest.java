package dev.weir.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * Conservation under threads: what was there, was made and was brought is what was admitted, cut,
 * lost and left, to the micro-token, in whatever order the threads ran.
 */
class HotBucketThreadsTest {
  private static final int THREADS = 4;
  private static final long TOKEN = Tokens.MICROS_PER_TOKEN;

  @Seeds(tries = 20)
  void soManyTokensAreAdmittedAsThereAreWhileTermsAreSwapped(Random random) throws Exception {
    long tokens = 20_000;
    long now = random.nextLong();
    HotBucket bucket = full(still(tokens), now);
    AtomicBoolean done = new AtomicBoolean();
    List<Callable<Long>> work = takers(bucket, now, done);
    work.add(
        () -> {
          for (long round = 0; !done.get(); round++) {
            Footing footing = still(tokens + round % 3);
            if (round % 2 == 0 || !bucket.renew(footing, now)) {
              assertThat(bucket.change(Change.to(footing), now)).isZero();
            }
          }
          return 0L;
        });
    assertThat(sum(atOnce(work))).isEqualTo(tokens);
    assertThat(bucket.levelAt(now)).isZero();
  }

  @Seeds(tries = 20)
  void whatIsBroughtAndCutWhileThreadsTakeIsNeitherLostNorDoubled(Random random) throws Exception {
    long now = random.nextLong();
    HotBucket bucket = full(still(10_000), now);
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong broughtMicros = new AtomicLong();
    AtomicLong cutMicros = new AtomicLong();
    List<Callable<Long>> work = takers(bucket, now, done);
    long rounds = 200;
    work.add(
        () -> {
          for (long round = 0; round < rounds; round++) {
            // Room for all that is brought: the level was at most 10,000 all the while.
            bucket.change(
                Change.bringing(still(10_100), 100 * TOKEN, 10_000 * TOKEN, Rules.ALL), now);
            broughtMicros.addAndGet(100 * TOKEN);
            cutMicros.addAndGet(bucket.change(Change.to(still(10_000)), now));
          }
          return 0L;
        });
    long admitted = sum(atOnce(work)) * TOKEN;
    long left = bucket.levelAt(now);
    // What another thread cut may go unreported, and is then gone; nothing is ever made.
    assertThat(admitted + left + cutMicros.get())
        .isLessThanOrEqualTo(10_000 * TOKEN + broughtMicros.get());
    assertThat(admitted).isGreaterThanOrEqualTo(10_000 * TOKEN);
  }

  @Seeds(tries = 20)
  void aChargeThatAnotherQuotaRefusesComesBackAndNothingIsMade(Random random) throws Exception {
    long now = random.nextLong();
    long wide = 10_000;
    long narrow = 3_000;
    HotBucket first = full(still(wide), now);
    HotBucket second = full(still(narrow), now);
    AtomicLong lostMicros = new AtomicLong();
    List<Long> admitted =
        atOnce(
            repeated(
                THREADS,
                i ->
                    () -> {
                      Receipt receipt = new Receipt();
                      long passed = 0;
                      for (int j = 0; j < 3_000; j++) {
                        if (first.reserve(TOKEN, now, receipt) < 0) {
                          continue;
                        }
                        if (second.take(TOKEN, now) >= 0) {
                          first.keep(receipt);
                          passed++;
                        } else {
                          long given = first.giveBack(receipt, () -> now, Rules.ALL);
                          lostMicros.addAndGet(TOKEN - given);
                        }
                      }
                      return passed;
                    }));
    assertThat(sum(admitted)).isEqualTo(narrow);
    assertThat(second.levelAt(now)).isZero();
    assertThat(first.levelAt(now) + lostMicros.get()).isEqualTo((wide - narrow) * TOKEN);
    assertThat(first.pendingMicros()).isZero();
  }

  @Seeds(tries = 20)
  void levelsOverManyRatesAndEndsAreExactInWhateverOrderThreadsRan(Random random) throws Exception {
    ManualTicker clock = ManualTicker.startingAnywhere(random);
    // So wide and so well filled that it is never full and never dry: then order cannot matter.
    long startMicros = Tokens.MAX_MICROS / 2;
    Footing footing = wide(random);
    HotBucket bucket = new HotBucket(SharedTerms.first(footing, startMicros, clock.nanos()));
    BucketModel model = new BucketModel(footing, startMicros, clock.nanos());
    AtomicBoolean done = new AtomicBoolean();
    List<Callable<Long>> work =
        repeated(
            THREADS,
            i ->
                () -> {
                  long taken = 0;
                  for (int j = 1; !done.get(); j++) {
                    long cost = 1L + j % 1_000;
                    assertThat(bucket.take(cost, clock.nanos())).isNotNegative();
                    taken += cost;
                  }
                  return taken;
                });
    work.add(
        () -> {
          for (int round = 0; round < 300; round++) {
            long now = clock.advance(random.nextInt(1_000_000));
            Footing next = wide(random);
            if (random.nextInt(3) == 0) {
              // Ends soon, and by itself: whichever thread comes first moves the bucket on.
              next = next.until(now + random.nextInt(1_000_000), wide(random), Rules.ALL);
            }
            Change change = new Change(next, random.nextInt(1_000), 0);
            assertThat(bucket.change(change, now)).isEqualTo(model.change(change, now));
            clock.advance(random.nextInt(1_000_000));
          }
          done.set(true);
          return 0L;
        });
    long taken = sum(atOnce(work));
    long now = clock.nanos();
    assertThat(bucket.levelAt(now) + taken).isEqualTo(model.levelAt(now));
  }

  @Seeds(tries = 20)
  void afterTheEndNoMoreThanTheFloorsBurstIsAdmitted(Random random) throws Exception {
    ManualTicker clock = ManualTicker.startingAnywhere(random);
    long endNanos = clock.nanos() + 1_000;
    Footing lease = still(50_000).until(endNanos, still(10), Rules.ALL);
    HotBucket bucket = full(lease, clock.nanos());
    AtomicLong afterTheEnd = new AtomicLong();
    List<Callable<Long>> work =
        repeated(
            THREADS,
            i ->
                () -> {
                  long passed = 0;
                  for (int j = 0; j < 5_000; j++) {
                    long now = clock.advance(j % 4 == 0 ? 1 : 0);
                    if (bucket.take(TOKEN, now) >= 0) {
                      passed++;
                      afterTheEnd.addAndGet(now - endNanos >= 0 ? 1 : 0);
                    }
                  }
                  return passed;
                });
    long admitted = sum(atOnce(work));
    assertThat(afterTheEnd.get()).isLessThanOrEqualTo(10);
    assertThat(admitted).isBetween(10L, 50_000L);
    assertThat(bucket.levelAt(clock.nanos())).isZero();
  }

  @Seeds(tries = 20)
  void aRetiredBucketGivesNothingAndAFreshOneOnlyWhatItCouldHave(Random random) throws Exception {
    long now = random.nextLong();
    SharedTerms terms = SharedTerms.first(still(1), TOKEN, now);
    AtomicBoolean done = new AtomicBoolean();
    HotBucket[] current = new HotBucket[1];
    current[0] = new HotBucket(terms);
    HotBucket bucket = current[0];
    AtomicBoolean retired = new AtomicBoolean();
    List<Callable<Long>> work =
        repeated(
            2,
            i ->
                () -> {
                  long passed = 0;
                  for (int j = 0; j < 100; j++) {
                    passed += bucket.take(TOKEN, now) >= 0 ? 1 : 0;
                  }
                  done.set(true);
                  return passed;
                });
    work.add(
        () -> {
          while (!done.get() && !retired.get()) {
            retired.set(bucket.retire(terms, now));
          }
          return 0L;
        });
    long admitted = sum(atOnce(work));
    // Either somebody took its one token or it was retired with it, never both.
    assertThat(admitted).isEqualTo(retired.get() ? 0 : 1);
    assertThat(bucket.take(TOKEN, now))
        .isEqualTo(retired.get() ? HotBucket.RETIRED : HotBucket.NEVER);
  }

  /** Takes one token at a time until there are none, and says so. */
  private static List<Callable<Long>> takers(HotBucket bucket, long now, AtomicBoolean done) {
    return repeated(
        THREADS,
        i ->
            () -> {
              long passed = 0;
              while (bucket.take(TOKEN, now) >= 0) {
                passed++;
              }
              done.set(true);
              return passed;
            });
  }

  private static List<Callable<Long>> repeated(int times, IntFunction<Callable<Long>> work) {
    List<Callable<Long>> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.add(work.apply(i));
    }
    return all;
  }

  private static List<Long> atOnce(List<Callable<Long>> work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(work.size());
    CountDownLatch go = new CountDownLatch(1);
    try {
      List<Future<Long>> running = new ArrayList<>();
      for (Callable<Long> one : work) {
        running.add(
            pool.submit(
                () -> {
                  go.await();
                  return one.call();
                }));
      }
      go.countDown();
      List<Long> results = new ArrayList<>();
      for (Future<Long> one : running) {
        results.add(one.get());
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }

  private static long sum(List<Long> parts) {
    return parts.stream().mapToLong(Long::longValue).sum();
  }

  private static HotBucket full(Footing footing, long now) {
    return new HotBucket(SharedTerms.first(footing, footing.share().burstMicros(), now));
  }

  /** Nothing refills: what is admitted can be counted. */
  private static Footing still(long burstTokens) {
    Share share = new Share(0, burstTokens * TOKEN);
    return Footing.lasting(Standing.LEASE, share, Nanos.SECOND_NANOS);
  }

  private static Footing wide(Random random) {
    Rate rate = new Rate(random.nextInt(1 << 30), 1 + random.nextInt(1 << 30));
    return Footing.lasting(
        Standing.LEASE, new Share(rate.micros(), Tokens.MAX_MICROS), rate.perNanos());
  }
}
