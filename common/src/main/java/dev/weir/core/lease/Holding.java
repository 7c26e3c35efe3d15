package dev.weir.core.lease;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.bucket.Change;
import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.Standing;
import dev.weir.core.math.MulDiv;
import dev.weir.core.math.Nanos;
import dev.weir.core.math.Saturating;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.OfferId;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import org.jspecify.annotations.Nullable;

/**
 * The agent's lease state for one bucket; its level is in the {@link HotBucket} that decisions use.
 * Not thread-safe: one thread reports, applies answers and gives up.
 */
final class Holding {
  /** A lease is renewed when this part of its time is over. */
  private static final long RENEW_AFTER_PARTS = 3;

  /** A bucket is low when this part of its burst is left. */
  private static final long LOW_PARTS = 4;

  /** Room kept above what is asked for, and changes of demand worth a word, in parts of it. */
  private static final long HEADROOM_PARTS = 10;

  /** Before anything was measured, a bucket claims this part of the quota. */
  private static final long FIRST_CLAIM_PARTS = 8;

  private final BucketId id;
  private HotBucket bucket;
  private long maxCostMicros;
  private long rateMicros;
  private final Rules rules;
  private DemandMeter meter;

  private OfferId applied = OfferId.NONE;
  private long appliedAtNanos;
  private long perNanos;
  private Share lease = Share.ZERO;
  private long ttlNanos;
  private long expiresAtNanos;
  private long givenBackMicros;

  /** The level when the oldest unanswered request was sent, and how fast it can have risen (S5). */
  private Reading mark = Reading.NONE;

  /** The same when the newest request was sent. */
  private Reading sent = Reading.NONE;

  private boolean contended;
  private boolean learning;
  private boolean owesWord;
  private boolean wanted;
  private boolean dryAtLastReport;
  private long refusedMicros;
  private long toldDemandMicros;

  /** A level at an instant, and how fast and how far it can have risen since. */
  private record Reading(long atNanos, long levelMicros, Rate rate, long burstMicros) {
    static final Reading NONE = new Reading(0, 0, Rate.ZERO, -1);

    boolean isNone() {
      return burstMicros < 0;
    }

    long highestUntil(long nowNanos) {
      long risen = Saturating.plus(rate.minted(nowNanos - atNanos), 1);
      return Math.min(Math.max(burstMicros, levelMicros), Saturating.plus(levelMicros, risen));
    }
  }

  Holding(BucketId id, HotBucket bucket, QuotaSpec quota, Rules rules, long nowNanos) {
    this.id = id;
    this.bucket = bucket;
    this.perNanos = quota.rate().perNanos();
    this.rules = rules;
    adopt(quota);
    this.meter = new DemandMeter(bucket.askedMicros(), nowNanos);
  }

  BucketId id() {
    return id;
  }

  /** The quota is another from now on; what is held changes with the next offer. */
  void adopt(QuotaSpec quota) {
    maxCostMicros = quota.maxCostMicros();
    rateMicros = quota.rate().toPer(Nanos.SECOND_NANOS, true).micros();
  }

  Share leaseAt(long nowNanos) {
    return nowNanos - expiresAtNanos < 0 ? lease : Share.ZERO;
  }

  /** The key was forgotten and asked for again: its level is in another bucket now. */
  void use(@Nullable HotBucket current, long nowNanos) {
    if (current != null && !current.equals(bucket)) {
      bucket = current;
      meter = new DemandMeter(bucket.askedMicros(), nowNanos);
      refusedMicros = bucket.refusedMicros();
    }
  }

  void want(long costMicros) {
    wanted = true;
    meter.cost(Math.min(costMicros, maxCostMicros));
  }

  /** Whether a request found it dry, or nearly so, since the coordinator last heard of it. */
  boolean isWanted() {
    return wanted;
  }

  /** Whether the coordinator has just heard that the bucket is dry: it waits for the next tick. */
  boolean waitsForTick() {
    return dryAtLastReport;
  }

  /** Whether nothing is held, wanted or owed, so that the holding may be dropped. */
  boolean isIdleAt(long nowNanos) {
    return leaseAt(nowNanos).isZero() && !wanted && !owesWord && meter.micros() == 0;
  }

  HoldingView view(long nowNanos) {
    Share held = leaseAt(nowNanos);
    return new HoldingView(
        id,
        applied,
        perNanos,
        held,
        held.isZero() ? 0 : expiresAtNanos - nowNanos,
        level(nowNanos),
        meter.micros(),
        learning);
  }

  HeldSum sum(long nowNanos) {
    Share held = leaseAt(nowNanos);
    return new HeldSum(
        held.isZero() ? 0 : 1,
        new Rate(held.rateMicros(), perNanos).toPer(Nanos.SECOND_NANOS, false).micros(),
        meter.micros(),
        held.isZero() ? 0 : expiresAtNanos - nowNanos);
  }

  // ------------------------------------------------------------------------------ asking

  /** Measures demand, and says whether the coordinator must hear of this bucket. */
  boolean measure(Footing floor, long nowNanos) {
    Share held = leaseAt(nowNanos);
    boolean renew =
        !held.isZero() && expiresAtNanos - nowNanos < ttlNanos - ttlNanos / RENEW_AFTER_PARTS;
    boolean dry = refusedMicros != bucket.refusedMicros();
    long burst = Saturating.plus(floor.share().burstMicros(), held.burstMicros());
    long level = level(nowNanos);
    boolean calm = !dry && level >= burst / 2;
    long demand = meter.read(bucket.askedMicros(), rateMicros, nowNanos, contended, calm);
    boolean low = demand > 0 && level < Math.max(burst / LOW_PARTS, maxCostMicros);
    boolean changed =
        !held.isZero()
            && Math.abs(demand - toldDemandMicros)
                > Math.max(toldDemandMicros, demand) / HEADROOM_PARTS;
    return owesWord || wanted || renew || dry || low || changed;
  }

  /** Whether its load is to be looked at between requests. */
  boolean isWatchedAt(long nowNanos) {
    return meter.isWorthWatching() && !leaseAt(nowNanos).isZero();
  }

  /** Whether the load is seen to have left: what is held can go to others at once. */
  boolean look(long nowNanos) {
    boolean left = meter.look(bucket.askedMicros(), nowNanos);
    wanted |= left;
    return left;
  }

  /** Declares what is held now; gives up first what the demand no longer needs. */
  BucketReport report(Footing floor, boolean nothingUnanswered, long nowNanos) {
    long highest = highestSinceMark(floor, nothingUnanswered, nowNanos);
    if (meter.fell() || (contended && meter.micros() < toldDemandMicros / 2)) {
      shrink(needed(floor), floor, nowNanos);
    }
    return declared(floor, highest, nowNanos);
  }

  /** Declares for the last time, after giving everything back. */
  BucketReport leave(Footing floor, boolean nothingUnanswered, long nowNanos) {
    long highest = highestSinceMark(floor, nothingUnanswered, nowNanos);
    shrink(Share.ZERO, floor, nowNanos);
    return declared(floor, highest, nowNanos);
  }

  private long highestSinceMark(Footing floor, boolean nothingUnanswered, long nowNanos) {
    if (leaseAt(nowNanos).isZero()) {
      lease = Share.ZERO;
    }
    Reading before = reading(floor, nowNanos);
    if (mark.isNone() || nothingUnanswered || !rules.on(Clause.S5_MARK_SINCE_OLDEST)) {
      mark = before;
    }
    return Math.max(before.levelMicros(), mark.highestUntil(nowNanos));
  }

  private BucketReport declared(Footing floor, long highestMicros, long nowNanos) {
    sent = reading(floor, nowNanos);
    long refused = bucket.refusedMicros();
    boolean dry = refused != refusedMicros;
    refusedMicros = refused;
    toldDemandMicros = meter.isFresh() ? firstClaim(floor) : meter.micros();
    wanted = false;
    owesWord = false;
    dryAtLastReport = dry;
    return new BucketReport(
        id,
        applied,
        applied.equals(OfferId.NONE) ? 0 : Nanos.elapsed(appliedAtNanos, nowNanos),
        perNanos,
        lease,
        sent.levelMicros(),
        Math.max(highestMicros, sent.levelMicros()),
        toldDemandMicros,
        givenBackMicros,
        dry);
  }

  /**
   * Nothing was measured yet: more than the floor, but not so much that it halves a busy region.
   */
  private long firstClaim(Footing floor) {
    long floorMicros = floor.rate().toPer(Nanos.SECOND_NANOS, true).micros();
    return Math.max(rateMicros / FIRST_CLAIM_PARTS + 1, Saturating.times(floorMicros, 2));
  }

  /** What demand needs beyond the floor, with some room above. */
  private Share needed(Footing floor) {
    long demand = Saturating.plus(meter.micros(), meter.micros() / HEADROOM_PARTS);
    long rate = new Rate(demand, Nanos.SECOND_NANOS).toPer(perNanos, true).micros();
    long beyond = Math.max(0, rate - floor.rate().toPer(perNanos, false).micros());
    if (beyond >= lease.rateMicros()) {
      return lease;
    }
    long burst = MulDiv.up(lease.burstMicros(), beyond, lease.rateMicros());
    long requests = MulDiv.ceilDiv(burst, maxCostMicros);
    return new Share(
        beyond, Math.min(lease.burstMicros(), Saturating.times(requests, maxCostMicros)));
  }

  // ------------------------------------------------------------------------------ answers

  /** Applies an offer. The time to live counts from when the request was sent (S6). */
  void apply(BucketOffer offer, Footing floor, long fromNanos, long nowNanos) {
    long highest = sent.isNone() ? Long.MAX_VALUE : sent.highestUntil(nowNanos);
    boolean shrinks = !lease.fitsIn(offer.share()) || offer.perNanos() != perNanos;
    perNanos = offer.perNanos();
    lease = offer.share();
    ttlNanos = offer.ttlNanos();
    expiresAtNanos = fromNanos + offer.ttlNanos();
    long cutMicros =
        rules.on(Clause.S4_RENEWAL_FILLS_NOTHING)
            ? change(floor, offer.tokensMicros(), highest, nowNanos)
            : change(floor, burst(floor), 0, nowNanos);
    givenBackMicros = Saturating.plus(givenBackMicros, cutMicros);
    applied = offer.id();
    appliedAtNanos = nowNanos;
    contended = offer.contended();
    learning = offer.learning();
    owesWord |= offer.confirm() || shrinks;
  }

  /** What was said may not have been heard: it is said again. */
  void unheard() {
    wanted |= !mark.isNone();
  }

  /** No request is unanswered any more. */
  void answered() {
    mark = Reading.NONE;
  }

  /** The lease is over at once: the machine was suspended, and it may be somebody else's (S7). */
  void end(Footing floor, long nowNanos) {
    lease = Share.ZERO;
    expiresAtNanos = nowNanos;
    // What is burnt here is gone; the coordinator takes back no tokens of an expired lease.
    change(floor, 0, 0, nowNanos);
    owesWord = true;
  }

  private void shrink(Share smaller, Footing floor, long nowNanos) {
    if (!smaller.equals(lease)) {
      lease = smaller;
      givenBackMicros = Saturating.plus(givenBackMicros, change(floor, 0, 0, nowNanos));
    }
  }

  private long change(Footing floor, long tokensMicros, long highestMicros, long nowNanos) {
    if (tokensMicros == 0 && bucket.renew(footing(floor), nowNanos)) {
      return 0;
    }
    return bucket.change(
        Change.bringing(footing(floor), tokensMicros, highestMicros, rules), nowNanos);
  }

  /** Lease and floor until the lease's expiry, the floor from then on (S6). */
  private Footing footing(Footing floor) {
    if (lease.isZero()) {
      return floor;
    }
    Footing expired =
        new Footing(
            Standing.LEASE_EXPIRED,
            floor.share(),
            floor.perNanos(),
            floor.ends(),
            floor.endsAtNanos(),
            floor.next());
    return Footing.lasting(Standing.LEASE, new Share(rate(floor).micros(), burst(floor)), perNanos)
        .until(expiresAtNanos, expired, rules);
  }

  /** The floor has changed: what the bucket stands on is said anew. */
  void refit(Footing floor, long nowNanos) {
    if (leaseAt(nowNanos).isZero()) {
      lease = Share.ZERO;
    }
    change(floor, 0, 0, nowNanos);
  }

  /** A bucket that was forgotten holds nothing that is not counted elsewhere. */
  private long level(long nowNanos) {
    return Math.max(0, bucket.levelAt(nowNanos));
  }

  private Reading reading(Footing floor, long nowNanos) {
    long level = Saturating.plus(level(nowNanos), bucket.pendingMicros());
    return new Reading(nowNanos, level, rate(floor), burst(floor));
  }

  private Rate rate(Footing floor) {
    long own = floor.rate().toPer(perNanos, false).micros();
    return new Rate(Saturating.plus(own, lease.rateMicros()), perNanos);
  }

  private long burst(Footing floor) {
    return Saturating.plus(floor.share().burstMicros(), lease.burstMicros());
  }
}
