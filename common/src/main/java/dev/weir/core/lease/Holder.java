package dev.weir.core.lease;

import dev.weir.core.message.OfferId;
import dev.weir.core.quota.Share;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger knows of one holder.
 *
 * @param seq the newest request seen (S3)
 * @param declared what the holder last stated, until that lease's expiry
 * @param offer the offer not yet known to be applied or dead
 * @param applied the last offer known to be applied of which it is known when it was sent; none
 *     where that is not so
 * @param appliedSentAtNanos when that offer was sent
 * @param firstOffer number of the first offer this entry made to this holder; 0 for none (S4)
 * @param givenBackMicros the running total taken into account (S4)
 * @param levelMicros the level it declared
 * @param demandMicros the demand it declared, micro-tokens per second
 * @param unapplied how many requests in a row showed no offer applied (S2)
 * @param heardAtNanos when its newest request was seen
 * @param servedAtNanos when it last had room for a request, where room goes round
 */
public record Holder(
    long seq,
    Part declared,
    @Nullable Outstanding offer,
    OfferId applied,
    long appliedSentAtNanos,
    long firstOffer,
    long givenBackMicros,
    long levelMicros,
    long demandMicros,
    int unapplied,
    long heardAtNanos,
    long servedAtNanos) {

  /** Somebody of whom nothing is known. */
  static Holder stranger(long nowNanos) {
    return new Holder(0, Part.NOTHING, null, OfferId.NONE, 0, 0, 0, 0, 0, 0, nowNanos, nowNanos);
  }

  /**
   * What it counts for: the larger of both parts that have not expired, rate and burst apart (S2).
   */
  public Share accountedAt(long nowNanos) {
    Share stated = declared.at(nowNanos);
    return offer == null ? stated : stated.max(offer.part().at(nowNanos));
  }

  /** What it declared and what it was offered, each with its own end. */
  public List<Part> parts() {
    return offer == null ? List.of(declared) : List.of(declared, offer.part());
  }

  /** Whether it neither declared a lease nor was offered one that may still be alive. */
  public boolean hasNothing() {
    return declared.isNothing() && (offer == null || offer.part().isNothing());
  }

  Holder withoutPartsExpiredAt(long nowNanos) {
    boolean keepsDeclared = declared.isNothing() || nowNanos - declared.untilNanos() < 0;
    boolean keepsOffer = offer == null || nowNanos - offer.part().untilNanos() < 0;
    if (keepsDeclared && keepsOffer) {
      return this;
    }
    // Tokens on their way to a holder that expired are gone with it (S4).
    return with(
        keepsDeclared ? declared : Part.NOTHING,
        keepsOffer || offer == null
            ? offer
            : new Outstanding(
                offer.id(), Part.NOTHING, offer.rateMicros(), 0, offer.sentAtNanos()));
  }

  /** The same holder, but for what it declared and what it was offered. */
  public Holder with(Part newDeclared, @Nullable Outstanding newOffer) {
    return new Holder(
        seq,
        newDeclared,
        newOffer,
        applied,
        appliedSentAtNanos,
        firstOffer == 0 && newOffer != null ? newOffer.id().number() : firstOffer,
        givenBackMicros,
        levelMicros,
        demandMicros,
        unapplied,
        heardAtNanos,
        servedAtNanos);
  }

  Holder askedBy(long newSeq) {
    return new Holder(
        newSeq,
        declared,
        offer,
        applied,
        appliedSentAtNanos,
        firstOffer,
        givenBackMicros,
        levelMicros,
        demandMicros,
        unapplied,
        heardAtNanos,
        servedAtNanos);
  }

  Holder servedAt(long nowNanos) {
    return new Holder(
        seq,
        declared,
        offer,
        applied,
        appliedSentAtNanos,
        firstOffer,
        givenBackMicros,
        levelMicros,
        demandMicros,
        unapplied,
        heardAtNanos,
        nowNanos);
  }
}
