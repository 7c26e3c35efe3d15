package dev.weir.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Change;
import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.Receipt;
import dev.weir.core.bucket.Standing;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QuotaKeysTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long TOKEN = Tokens.MICROS_PER_TOKEN;

  private final ManualTicker clock = ManualTicker.at(Long.MAX_VALUE - 5 * SECOND_NANOS);

  @Test
  void everyKeyHasABucketOfItsOwnUntilThereIsNoRoom() {
    KeyRoom room = new KeyRoom(3);
    QuotaKeys keys = keys(room);
    assertThat(keys.bucket("a", now())).isSameAs(keys.bucket("a", now()));
    assertThat(keys.bucket("a", now())).isNotSameAs(keys.bucket("b", now()));
    keys.bucket("c", now());
    KeyBucket shared = keys.bucket("d", now());
    assertThat(keys.isOverflow(shared)).isTrue();
    assertThat(keys.bucket("e", now())).isSameAs(shared);
    assertThat(keys.isOverflow(keys.bucket("a", now()))).isFalse();
    assertThat(room.used()).isEqualTo(3);
  }

  /** C22. */
  @Test
  void c22AMillionRandomKeysShareOneBucketBeyondTheCapAndAreNeverUnlimited() {
    KeyRoom room = new KeyRoom(1_000);
    QuotaKeys keys = keys(room);
    setFloor(keys, 10, 10);
    clock.advance(2 * SECOND_NANOS);
    long admitted = 0;
    for (int i = 0; i < 100_000; i++) {
      admitted += keys.bucket("key" + i, now()).take(TOKEN, now()) >= 0 ? 1 : 0;
    }
    assertThat(room.used()).isEqualTo(1_000);
    // One of each key of its own; the others share a bucket, empty when it was made.
    assertThat(admitted).isEqualTo(1_000);
    clock.advance(SECOND_NANOS);
    for (int i = 0; i < 100_000; i++) {
      admitted += keys.bucket("other" + i, now()).take(TOKEN, now()) >= 0 ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(1_010);
  }

  @Test
  void aKeyThatLeavesTheSharedBucketStartsEmpty() {
    KeyRoom room = new KeyRoom(1);
    QuotaKeys keys = keys(room);
    setFloor(keys, 10, 10);
    clock.advance(2 * SECOND_NANOS);
    keys.bucket("a", now());
    assertThat(keys.isOverflow(keys.bucket("b", now()))).isTrue();
    keys.sweep(10, now());
    assertThat(room.used()).isZero();
    assertThat(keys.bucket("b", now()).levelAt(now())).isZero();
  }

  @Test
  void aFullKeyIsForgottenAndComesBackFull() {
    KeyRoom room = new KeyRoom(10);
    QuotaKeys keys = keys(room);
    setFloor(keys, 10, 10);
    clock.advance(2 * SECOND_NANOS);
    KeyBucket first = keys.bucket("a", now());
    first.take(TOKEN, now());
    keys.sweep(10, now());
    assertThat(keys.bucket("a", now())).isSameAs(first);

    clock.advance(SECOND_NANOS / 10);
    keys.sweep(10, now());
    assertThat(keys.size()).isZero();
    assertThat(first.take(TOKEN, now())).isEqualTo(HotBucket.RETIRED);
    assertThat(keys.bucket("a", now())).isNotSameAs(first);
    assertThat(keys.bucket("a", now()).levelAt(now())).isEqualTo(10 * TOKEN);
  }

  @Test
  void aKeyWithALeaseIsKeptAndItsFloorIsTheEdgesAffair() {
    QuotaKeys keys = keys(new KeyRoom(10));
    setFloor(keys, 10, 10);
    clock.advance(2 * SECOND_NANOS);
    KeyBucket leased = keys.bucket("a", now());
    Share share = new Share(50 * TOKEN, 10 * TOKEN);
    leased.change(Change.to(Footing.lasting(Standing.LEASE, share, SECOND_NANOS)), now());
    keys.sweep(10, now());
    assertThat(keys.find("tenant=a")).isSameAs(leased);
    setFloor(keys, 1, 1);
    assertThat(leased.footingAt(now()).share()).isEqualTo(share);
  }

  @Test
  void aFloorThatIsExtendedEndsWhereItWasExtendedToForEveryKey() {
    QuotaKeys keys = keys(new KeyRoom(10));
    long start = now();
    setFloor(keys, 10, 10, start + 8 * SECOND_NANOS);
    KeyBucket onFloor = keys.bucket("a", now());
    KeyBucket lapsed = keys.bucket("b", now());
    lapsed.change(
        Change.to(
            Footing.nothing(Standing.LEASE).until(start + SECOND_NANOS, keys.floor(), Rules.ALL)),
        now());
    for (int second = 1; second <= 30; second++) {
      clock.advance(SECOND_NANOS);
      keys.extendFloor(now() + 8 * SECOND_NANOS, now());
      assertThat(onFloor.take(TOKEN, now())).isNotNegative();
    }
    assertThat(lapsed.levelAt(now())).isEqualTo(10 * TOKEN);
    long last = now() + 8 * SECOND_NANOS;
    assertThat(onFloor.levelAt(last - 1)).isEqualTo(10 * TOKEN);
    assertThat(onFloor.take(TOKEN, last)).isEqualTo(HotBucket.NEVER);
    assertThat(lapsed.take(TOKEN, last)).isEqualTo(HotBucket.NEVER);
    // Heard of again too late: it comes back, and begins empty.
    clock.advance(10 * SECOND_NANOS);
    keys.extendFloor(now() + 8 * SECOND_NANOS, now());
    assertThat(onFloor.levelAt(now())).isZero();
    assertThat(onFloor.levelAt(now() + SECOND_NANOS)).isEqualTo(10 * TOKEN);
  }

  @Test
  void anExtensionLeavesReceiptsGood() {
    QuotaKeys keys = keys(new KeyRoom(10));
    setFloor(keys, 10, 10, now() + 8 * SECOND_NANOS);
    clock.advance(SECOND_NANOS);
    KeyBucket bucket = keys.bucket("a", now());
    Receipt receipt = new Receipt();
    assertThat(bucket.reserve(TOKEN, now(), receipt)).isEqualTo(9 * TOKEN);
    keys.extendFloor(now() + 8 * SECOND_NANOS, now());
    assertThat(bucket.giveBack(receipt, clock, Rules.ALL)).isEqualTo(TOKEN);
  }

  @Seeds(tries = 30)
  void noKeyMissesAChangeOfTheFloorHoweverItIsMade(Random random) throws Exception {
    QuotaKeys keys = keys(new KeyRoom(1_000_000));
    setFloor(keys, 5, 5);
    AtomicLong made = new AtomicLong();
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try {
      List<Future<?>> makers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        makers.add(
            pool.submit(
                () -> {
                  for (int j = 0; j < 2_000; j++) {
                    keys.bucket("key" + made.incrementAndGet(), now()).take(TOKEN, now());
                  }
                }));
      }
      long tokens = 5;
      for (int i = 0; i < 20; i++) {
        tokens = 1L + random.nextInt(100);
        setFloor(keys, tokens, tokens);
      }
      for (Future<?> maker : makers) {
        maker.get();
      }
      assertThat(keys.size()).isEqualTo(6_000);
      for (KeyBucket bucket : keys.all()) {
        assertThat(bucket.footingAt(now()).share().burstMicros()).isEqualTo(tokens * TOKEN);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Seeds(tries = 30)
  void aKeyThatIsForgottenWhileItIsAskedForAdmitsNoMoreThanItHas(Random random) throws Exception {
    QuotaKeys keys = keys(new KeyRoom(100));
    setFloor(keys, 1, 20);
    clock.advance(30 * SECOND_NANOS);
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try {
      Future<?> sweeper =
          pool.submit(
              () -> {
                while (!done.get()) {
                  keys.sweep(1 + random.nextInt(10), now());
                }
              });
      List<Future<Long>> takers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        takers.add(
            pool.submit(
                () -> {
                  long admitted = 0;
                  for (int j = 0; j < 200; j++) {
                    admitted += take(keys, "a") ? 1 : 0;
                  }
                  return admitted;
                }));
      }
      long admitted = 0;
      for (Future<Long> taker : takers) {
        admitted += taker.get();
      }
      done.set(true);
      sweeper.get();
      assertThat(admitted).isEqualTo(20);
    } finally {
      done.set(true);
      pool.shutdownNow();
    }
  }

  private boolean take(QuotaKeys keys, String name) {
    while (true) {
      KeyBucket bucket = keys.bucket(name, now());
      long answer = bucket.take(TOKEN, now());
      if (answer != HotBucket.RETIRED) {
        return answer >= 0;
      }
      keys.drop(bucket);
    }
  }

  private long now() {
    return clock.nanos();
  }

  private QuotaKeys keys(KeyRoom room) {
    QuotaSpec spec =
        QuotaSpec.leased(
            new QuotaId("shop", "api"),
            List.of(new Match("tenant", null)),
            Rate.perSecond(100),
            100 * TOKEN);
    return new QuotaKeys(spec, room, now());
  }

  private void setFloor(QuotaKeys keys, long tokensPerSecond, long burstTokens) {
    setFloor(keys, tokensPerSecond, burstTokens, now() + 24 * 3_600 * SECOND_NANOS);
  }

  private void setFloor(QuotaKeys keys, long tokensPerSecond, long burstTokens, long untilNanos) {
    keys.setFloor(Rate.perSecond(tokensPerSecond), burstTokens * TOKEN, untilNanos, now());
  }
}
