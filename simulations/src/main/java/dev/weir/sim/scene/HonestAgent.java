package dev.weir.sim.scene;

import dev.weir.core.Clause;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.HolderId;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.OfferId;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import org.jspecify.annotations.Nullable;

/**
 * The agent's half of the rules for one bucket, written a second time and as plainly as can be: it
 * says exactly what is true, which is the least that the coordinator's half may rely on.
 */
final class HonestAgent {
  private final Scene scene;
  private final HolderId id;

  private Share lease = Share.ZERO;
  private long expiresAtNanos;
  private Bucket bucket;
  private OfferId applied = OfferId.NONE;
  private long appliedAtNanos;
  private long givenBackMicros;
  private long seq;
  private boolean unanswered;
  private boolean open;
  private long highestSinceOldest;
  private long highestSinceNewest;

  /** A question on its way. */
  record Question(HolderId from, long seq, BucketReport report, long sentAtNanos) {}

  HonestAgent(Scene scene, HolderId id) {
    this.scene = scene;
    this.id = id;
    this.bucket = new Bucket(0, 0, scene.nowNanos(), rate(floor()), floor().burstMicros());
  }

  HolderId id() {
    return id;
  }

  Share floor() {
    return scene.terms.floorOf(id);
  }

  Share lease() {
    settle();
    return lease;
  }

  Share share() {
    return lease().plus(floor());
  }

  long levelMicros() {
    settle();
    return bucket.levelMicros();
  }

  OfferId applied() {
    return applied;
  }

  long givenBackMicros() {
    return givenBackMicros;
  }

  /** Puts it where a schedule begins. */
  HonestAgent holding(Share share, double tokens, OfferId offer, double untilMillis) {
    lease = share;
    expiresAtNanos = scene.nanos(untilMillis);
    bucket =
        new Bucket(
            Scene.micros(tokens),
            0,
            scene.nowNanos(),
            rate(share.plus(floor())),
            share.burstMicros() + floor().burstMicros());
    applied = offer;
    appliedAtNanos = scene.nowNanos();
    return this;
  }

  HonestAgent havingGivenBack(double tokens) {
    givenBackMicros = Scene.micros(tokens);
    return this;
  }

  /** Spends so much of what it has, and tells the judge. */
  long spend(double tokens) {
    settle();
    long micros = Math.min(Scene.micros(tokens), bucket.levelMicros());
    take(micros);
    return micros;
  }

  long spendAll() {
    settle();
    long micros = bucket.levelMicros();
    take(micros);
    return micros;
  }

  private void take(long micros) {
    noteHighest();
    bucket = level(bucket.levelMicros() - micros);
    scene.judge.admitted(scene.nowNanos(), micros);
  }

  /** Gives up all but this much of its lease, as it may before any question. */
  void giveUpTo(Share smaller) {
    settle();
    noteHighest();
    become(lease.min(smaller), expiresAtNanos, 0);
  }

  /** Sends a question; every earlier one is given up. */
  Question ask(double demand) {
    settle();
    noteHighest();
    if (!unanswered || !scene.rules.on(Clause.S5_MARK_SINCE_OLDEST)) {
      highestSinceOldest = bucket.levelMicros();
    }
    unanswered = true;
    open = true;
    seq++;
    highestSinceNewest = bucket.levelMicros();
    BucketReport report =
        new BucketReport(
            Scene.BUCKET,
            applied,
            applied.equals(OfferId.NONE) ? 0 : scene.nowNanos() - appliedAtNanos,
            scene.terms.perNanos(),
            lease,
            bucket.levelMicros(),
            Math.max(highestSinceOldest, bucket.levelMicros()),
            Scene.micros(demand),
            givenBackMicros,
            false);
    return new Question(id, seq, report, scene.nowNanos());
  }

  /** Sends a question that does not name the bucket; every earlier one is given up. */
  long askNothing() {
    settle();
    noteHighest();
    open = true;
    highestSinceNewest = bucket.levelMicros();
    return ++seq;
  }

  /** Hears an answer; only the one to the newest question is applied, and only once. */
  boolean hear(Question question, @Nullable BucketOffer offer) {
    return hear(question.seq(), question.sentAtNanos(), offer);
  }

  boolean hear(long answeredSeq, long sentAtNanos, @Nullable BucketOffer offer) {
    if (answeredSeq != seq || !open) {
      return false;
    }
    settle();
    noteHighest();
    open = false;
    unanswered = false;
    if (offer != null) {
      applied = offer.id();
      appliedAtNanos = scene.nowNanos();
      long burst = offer.share().burstMicros() + floor().burstMicros();
      long room =
          scene.rules.on(Clause.S5_ROOM_ON_ARRIVAL)
              ? Math.max(0, burst - highestSinceNewest)
              : Long.MAX_VALUE;
      become(offer.share(), sentAtNanos + offer.ttlNanos(), Math.min(offer.tokensMicros(), room));
    }
    return true;
  }

  /** What an offer on its way would bring if it were applied now. */
  long wouldBring(long answeredSeq, @Nullable BucketOffer offer) {
    if (offer == null || answeredSeq != seq || !open) {
      return 0;
    }
    settle();
    noteHighest();
    long burst = offer.share().burstMicros() + floor().burstMicros();
    return Math.min(offer.tokensMicros(), Math.max(0, burst - highestSinceNewest));
  }

  private void become(Share share, long untilNanos, long tokensMicros) {
    long burst = share.burstMicros() + floor().burstMicros();
    long kept = Math.min(bucket.levelMicros(), burst);
    givenBackMicros += bucket.levelMicros() - kept;
    long level = Math.min(burst, kept + tokensMicros);
    lease = share;
    expiresAtNanos = untilNanos;
    bucket = new Bucket(level, 0, scene.nowNanos(), rate(share.plus(floor())), burst);
  }

  /** What time has done: the lease runs out, the bucket refills. */
  private void settle() {
    long now = scene.nowNanos();
    if (!lease.isZero() && now - expiresAtNanos >= 0) {
      bucket = bucket.refill(expiresAtNanos);
      lease = Share.ZERO;
      long burst = floor().burstMicros();
      bucket =
          new Bucket(
              Math.min(bucket.levelMicros(), burst), 0, expiresAtNanos, rate(floor()), burst);
    }
    bucket = bucket.refill(now);
  }

  private void noteHighest() {
    highestSinceOldest = Math.max(highestSinceOldest, bucket.levelMicros());
    highestSinceNewest = Math.max(highestSinceNewest, bucket.levelMicros());
  }

  private Bucket level(long micros) {
    return new Bucket(
        micros, bucket.carry(), bucket.atNanos(), bucket.rate(), bucket.burstMicros());
  }

  private Rate rate(Share share) {
    return new Rate(share.rateMicros(), scene.terms.perNanos());
  }
}
