package dev.weir.core.bucket;

import dev.weir.core.math.MulDiv;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.Share;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link HotBucket} counts by, for one epoch of its life. Immutable but for {@link #arrival}
 * and the end of shared ones.
 *
 * <p>A bucket is one word that only grows: how much was spent, on a scale on which {@link #mark}
 * says how much has been made. A bucket whose word is at or below the mark is full; otherwise it
 * lacks the difference. Each epoch uses a stretch of that scale above all stretches before it
 * (wrapping around, compared by subtraction), so that a word tells by itself which terms it belongs
 * to, and a compare-and-set on it fails whenever the terms have changed.
 */
class Terms {
  private static final Standing[] STANDINGS = Standing.values();

  /** More than any bucket can lack; so much fills it. */
  private static final long MINTED_MAX = 1L << 62;

  // Read by every decision.
  final long baseMicros;
  final long anchorNanos;

  /**
   * For how long after the anchor these terms are good; {@code Long.MAX_VALUE} for ever. Grows in
   * {@link SharedTerms#extend} alone.
   */
  volatile long untilNanos;

  final long burstMicros;
  final long rateMicros;
  final long perNanos;
  private final long multiplier;
  private final byte left;
  private final byte right;

  /** The reciprocal is good for elapsed times below this power of two. */
  private final byte horizonBits;

  private final byte standing;

  /** What comes after these terms; null if nothing was said. */
  private final @Nullable Footing next;

  /** How buckets get here from the terms before; null once every one of them has. */
  volatile @Nullable Arrival arrival;

  @SuppressWarnings(
      "EnumOrdinal") // A byte where a reference would make every lease 8 bytes larger.
  Terms(Draft draft) {
    Footing footing = draft.footing;
    baseMicros = draft.baseMicros;
    anchorNanos = draft.anchorNanos;
    untilNanos = footing.ends() ? Math.max(0, footing.endsAtNanos() - anchorNanos) : Long.MAX_VALUE;
    burstMicros = footing.share().burstMicros();
    rateMicros = footing.share().rateMicros();
    perNanos = footing.perNanos();
    multiplier = Minting.multiplier(rateMicros, perNanos);
    int shift = Minting.shift(rateMicros, perNanos);
    left = (byte) Math.max(0, Long.SIZE - shift);
    right = (byte) Math.max(0, shift - Long.SIZE);
    horizonBits = (byte) Minting.horizonBits(rateMicros, perNanos);
    standing = (byte) footing.standing().ordinal();
    next = footing.next();
    arrival = draft.arrival;
  }

  /** Whether a decision after so much time may use {@link #mark}; also false for a clock behind. */
  final boolean covers(long elapsedNanos) {
    return elapsedNanos < untilNanos && elapsedNanos >>> horizonBits == 0;
  }

  /** The mark so long after the anchor, for times that the reciprocal is good for. */
  final long mark(long elapsedNanos) {
    long guess = Math.multiplyHigh(elapsedNanos << left, multiplier) >>> right;
    // Wraps, and is right all the same: it is the small remainder of the exact division.
    long remainder = rateMicros * elapsedNanos - guess * perNanos;
    return baseMicros + (remainder >= perNanos ? guess + 1 : guess);
  }

  /** The mark at any instant; before the anchor nothing has been made. */
  final long markAt(long nowNanos) {
    long elapsedNanos = Minting.elapsedNanos(anchorNanos, nowNanos);
    return elapsedNanos >>> horizonBits == 0
        ? mark(elapsedNanos)
        : baseMicros + mintedMicros(elapsedNanos);
  }

  /** What a word stands for at an instant; negative where more was taken than made until then. */
  final long levelMicros(long word, long nowNanos) {
    return burstMicros - Math.max(0, word - markAt(nowNanos));
  }

  /** The word of a bucket with that level, or as near to it as these terms can ever pay back. */
  final long wordAt(long levelMicros, long nowNanos) {
    long mark = markAt(nowNanos);
    return mark + Math.min(burstMicros - levelMicros, endMicros() - 1 - mark);
  }

  /** Whether these terms have ended, by their time or because they count no further. */
  final boolean areOverAt(long nowNanos) {
    long elapsedNanos = Minting.elapsedNanos(anchorNanos, nowNanos);
    return elapsedNanos >= untilNanos || elapsedNanos >>> horizonBits != 0;
  }

  /** The first word that no bucket can reach under these terms. */
  final long endMicros() {
    long lastNanos = Math.min(untilNanos, 1L << horizonBits);
    return baseMicros + mintedMicros(lastNanos) + burstMicros + 1;
  }

  /** What these terms were made of. */
  final Footing footing() {
    boolean ends = untilNanos != Long.MAX_VALUE;
    return new Footing(
        standing(),
        new Share(rateMicros, burstMicros),
        perNanos,
        ends,
        ends ? anchorNanos + untilNanos : 0,
        next);
  }

  final Standing standing() {
    return STANDINGS[standing];
  }

  /** What is to come when these terms end; only to look ahead. */
  final Terms afterEnd() {
    return new Terms(draftOfEnd());
  }

  /** The terms that follow now that these are over, which the clock alone decides. */
  Terms successor(long nowNanos) {
    return new Terms(draftOfSuccessor(nowNanos));
  }

  /** The terms after a change. */
  final Terms changed(Change change, long nowNanos) {
    return new Terms(draftOf(change, nowNanos));
  }

  /**
   * Whether a footing is the same but for an end that is not earlier: a thread that has read these
   * terms may use them as long as they said.
   */
  final boolean renewsTo(Footing footing) {
    return footing.share().rateMicros() == rateMicros
        && footing.share().burstMicros() == burstMicros
        && footing.perNanos() == perNanos
        && (!footing.ends() || footing.endsAtNanos() - anchorNanos >= untilNanos);
  }

  /** The same terms with a later end, which moves no level. */
  final Terms renewed(Footing footing) {
    return new Terms(new Draft(footing, baseMicros, anchorNanos, null));
  }

  final Draft draftOf(Change change, long nowNanos) {
    long atNanos = Nanos.later(nowNanos, anchorNanos);
    Footing footing = change.footing().at(atNanos);
    long addMicros = change.roomedMicros(footing.share().burstMicros());
    return draft(footing, atNanos, addMicros);
  }

  final Draft draftOfSuccessor(long nowNanos) {
    return Minting.elapsedNanos(anchorNanos, nowNanos) >= untilNanos
        ? draftOfEnd()
        : draft(footing(), nowNanos, 0);
  }

  private Draft draftOfEnd() {
    Footing following = next != null ? next : Footing.nothing(standing());
    return draft(following, anchorNanos + untilNanos, 0);
  }

  private Draft draft(Footing footing, long atNanos, long addMicros) {
    return new Draft(
        footing, endMicros(), anchorFor(footing, atNanos), new Arrival(this, atNanos, addMicros));
  }

  private long anchorFor(Footing footing, long atNanos) {
    long elapsedNanos = Minting.elapsedNanos(anchorNanos, atNanos);
    if (footing.share().rateMicros() == rateMicros && footing.perNanos() == perNanos) {
      // Whole units of the rate on, so that the micro-token under way stays as far as it is.
      return anchorNanos + (elapsedNanos - elapsedNanos % perNanos);
    }
    long carry = Minting.carry(rateMicros, elapsedNanos, 0, perNanos);
    return atNanos - Minting.nanosUnderWay(carry, perNanos, footing.rate());
  }

  private long mintedMicros(long elapsedNanos) {
    return Math.min(MINTED_MAX, MulDiv.down(rateMicros, elapsedNanos, perNanos));
  }

  /**
   * What terms are made of.
   *
   * @param baseMicros where its stretch of the scale begins: above every word before
   * @param anchorNanos since when it makes tokens
   */
  record Draft(Footing footing, long baseMicros, long anchorNanos, @Nullable Arrival arrival) {}
}
