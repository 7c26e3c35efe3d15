package dev.weir.sim.scene;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Change;
import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.Receipt;
import dev.weir.core.bucket.SharedTerms;
import dev.weir.core.bucket.Standing;
import dev.weir.core.quota.Share;

/**
 * Built timelines of one agent's bucket of 100 tokens and 100 a second, each of which makes tokens
 * when one clause of the rules is dropped. Each returns how many too many there were.
 */
public final class BucketSchedules {
  private static final long MILLI_NANOS = 1_000_000;
  private static final Share HUNDRED = Scene.share(100, 100);

  private final Rules rules;
  private final HotBucket bucket =
      new HotBucket(SharedTerms.first(of(HUNDRED), HUNDRED.burstMicros(), 0));
  private final Receipt receipt = new Receipt();
  private long nowNanos;

  private BucketSchedules(Rules rules) {
    this.rules = rules;
  }

  /** H10: all is reserved; the bucket refills and is spent; the reservation is cancelled. */
  public static double cancelledAfterItHasRefilled(Rules rules) {
    BucketSchedules play = new BucketSchedules(rules);
    play.bucket.reserve(HUNDRED.burstMicros(), play.nowNanos, play.receipt);
    play.passes(1_000);
    double spent = play.spendAll();
    play.cancel();
    return spent + play.spendAll() - 100;
  }

  /** N10: all is reserved; the lease falls to nothing and rises again without tokens; cancelled. */
  public static double cancelledAfterTheLeaseFellAndRose(Rules rules) {
    BucketSchedules play = new BucketSchedules(rules);
    play.bucket.reserve(HUNDRED.burstMicros(), play.nowNanos, play.receipt);
    play.passes(1).changes(Change.to(of(Share.ZERO)));
    play.passes(1).changes(Change.to(of(HUNDRED)));
    return play.cancel();
  }

  /**
   * H2: 40 were asked for when it was empty; it has refilled, and half is spent, when they come.
   */
  public static double broughtAfterItHasRefilled(Rules rules) {
    BucketSchedules play = new BucketSchedules(rules);
    play.passes(1_000);
    play.bucket.take(HUNDRED.burstMicros() / 2, play.nowNanos);
    play.changes(Change.bringing(of(HUNDRED), Scene.micros(40), HUNDRED.burstMicros(), rules));
    return play.spendAll() - 50;
  }

  private BucketSchedules passes(long millis) {
    nowNanos += millis * MILLI_NANOS;
    return this;
  }

  private void changes(Change change) {
    bucket.change(change, nowNanos);
  }

  private double cancel() {
    return bucket.giveBack(receipt, () -> nowNanos, rules) / 1e6;
  }

  private double spendAll() {
    long level = bucket.levelAt(nowNanos);
    bucket.take(level, nowNanos);
    return level / 1e6;
  }

  private static Footing of(Share share) {
    return Footing.lasting(Standing.FLOOR, share, Scene.SECOND_NANOS);
  }
}
