package dev.weir.core.lease;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.math.MulDiv;
import dev.weir.core.math.Nanos;
import dev.weir.core.math.Saturating;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.OfferId;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's whole state for one bucket: the pool and the holders of leases. Immutable; a
 * step returns the next ledger and what to answer. It reads no clock: instants are the owner's
 * monotonic clock, handed in.
 *
 * <p>At every instant {@code pool + what holders are accounted at + floors = quota}, for rate and
 * for burst (S1). What a holder is accounted at only shrinks by its own word or by expiry (S2), so
 * the pool's capacity is a function of time that rises at the expiries known here; {@link #advance}
 * walks through them in order.
 *
 * @param terms the quota as the ledger last saw it
 * @param authority under which the ledger was opened
 * @param pool what is not handed out; it mints nothing before learning has ended
 * @param holders who holds or was offered something, or spoke lately
 * @param mark the newest low-water mark, for slow buckets
 */
public record Ledger(
    LedgerTerms terms, Authority authority, Bucket pool, Map<HolderId, Holder> holders, Mark mark) {
  /** Who wants more than it has and says nothing for this long has stopped. */
  private static final long SILENT_NANOS = 3_000_000_000L;

  /** How long a turn lasts where room goes round. */
  private static final long TURN_NANOS = 1_000_000_000L;

  /**
   * Of slow buckets an agent gets tokens for this long at a time, and room for twice as long; all
   * agents together never most of what is left, since what they hold can be lost with them.
   */
  private static final long SLOW_SUPPLY_SECONDS = 5;

  /** A lease is not shrunk by less than this part of the quota. */
  private static final long HYSTERESIS_PARTS = 400;

  /** A shortage of this part of the quota is worth asking again at once. */
  private static final long LARGE_PARTS = 12;

  /** Marks are written this part of the burst ahead. */
  private static final long MARK_AHEAD_PARTS = 50;

  /** Requests in a row without an offer applied, after which a holder gets no more (S2). */
  private static final int ONE_WAY_AFTER = 3;

  /** More than any lease was ever good for; what is declared beyond is nonsense. */
  private static final Share MOST = new Share(Tokens.MAX_MICROS, Tokens.MAX_MICROS);

  public Ledger {
    // In one order on every machine, so that the same steps are the same everywhere.
    holders = Collections.unmodifiableMap(new TreeMap<>(holders));
  }

  /**
   * A ledger without holders.
   *
   * @param untouched the pool of a bucket nobody has asked about, as {@link Desk#untouched} or a
   *     durable mark gives it; it must not mint before learning ends
   */
  public static Ledger open(
      LedgerTerms terms, Authority authority, Bucket untouched, Mark mark, long nowNanos) {
    return new Ledger(terms, authority, untouched, Map.of(), mark).refitted(nowNanos);
  }

  /**
   * A ledger without holders, of a bucket that has a durable mark: what is known to be left, and
   * what is made once learning has ended. That is never more than of a bucket nobody has asked
   * about: a quota that was lowered and raised again since the mark was written has cut what there
   * was, and growth starts empty (S11).
   */
  public static Ledger openAtMark(
      LedgerTerms terms, Authority authority, Bucket untouched, Mark mark, long nowNanos) {
    Bucket pool =
        new Bucket(
            Math.min(mark.levelMicros(), untouched.levelMicros()),
            0,
            authority.learningUntilNanos(),
            untouched.rate(),
            untouched.burstMicros());
    return open(terms, authority, pool, mark, nowNanos);
  }

  /**
   * This ledger after a step, with a mark if the step has made it slow and brought none: from now
   * on its level must survive. The mark must be stored.
   *
   * @param before as it was before the step
   */
  public Ledger markedIfItBecameSlow(Ledger before) {
    return before.terms.isSlow() || !terms.isSlow() || mark.number() != before.mark.number()
        ? this
        : withMark(new Mark(mark.number() + 1, pool.levelMicros()));
  }

  /**
   * Takes what an agent declares and answers it.
   *
   * @param who the run of the agent that sent the request
   * @param seq the request's number within that run
   * @param newTerms the quota now
   * @param offerNumber a number this authority has not used for any offer
   */
  public LedgerStep on(
      BucketReport report,
      HolderId who,
      long seq,
      LedgerTerms newTerms,
      long offerNumber,
      long nowNanos,
      Rules rules) {
    Ledger current = adopt(newTerms, nowNanos, rules);
    Holder known = current.holders.get(who);
    if (known != null && seq <= known.seq() && rules.on(Clause.S3_SEQUENCE)) {
      return current.silentStep();
    }
    Share before = known == null ? Share.ZERO : lastHeld(known, report, nowNanos);
    LedgerStep step =
        current
            .stated(report, who, seq, nowNanos, rules)
            .answered(report.bucket(), who, report, before, offerNumber, nowNanos, rules);
    return rules.on(Clause.S1_POOL_IS_THE_REST)
        ? step
        : step.with(step.next().withWholePool(nowNanos));
  }

  /** What a holder had before it gave anything up by itself. */
  private static Share lastHeld(Holder known, BucketReport report, long nowNanos) {
    Outstanding offer = known.offer();
    return offer != null && report.applied().equals(offer.id())
        ? offer.part().at(nowNanos)
        : known.declared().at(nowNanos);
  }

  /** Takes what an agent declares for the last time: a run that leaves or was fenced (S8). */
  public LedgerStep lastWord(
      BucketReport report,
      HolderId who,
      long seq,
      LedgerTerms newTerms,
      long nowNanos,
      Rules rules) {
    Ledger current = adopt(newTerms, nowNanos, rules);
    Holder known = current.holders.get(who);
    if (known != null && seq <= known.seq() && rules.on(Clause.S3_SEQUENCE)) {
      return current.silentStep();
    }
    return current.stated(report, who, seq, nowNanos, rules).silentStep();
  }

  /**
   * What to tell a holder whose request did not name this bucket: a smaller share, when others wait
   * for what it has; else nothing.
   *
   * @param seq the number of that request: older ones that name the bucket are dead from here on
   */
  public LedgerStep recall(
      BucketId bucket,
      HolderId who,
      long seq,
      LedgerTerms newTerms,
      long offerNumber,
      long nowNanos,
      Rules rules) {
    Ledger current = adopt(newTerms, nowNanos, rules);
    Holder holder = current.holders.get(who);
    Share held = holder == null ? Share.ZERO : holder.accountedAt(nowNanos);
    Map<HolderId, Share> targets = current.targets(nowNanos);
    if (holder == null
        || held.isZero()
        || current.authority.isLearningAt(nowNanos)
        || held.fitsIn(targets.getOrDefault(who, Share.ZERO))
        || !current.othersAreShort(who, targets, nowNanos)) {
      return current.silentStep();
    }
    if (seq <= holder.seq() && rules.on(Clause.S3_SEQUENCE)) {
      return current.silentStep();
    }
    // Whether the offer on its way was applied is not known: from here on it may have been.
    Outstanding offer = holder.offer();
    long until =
        offer == null ? holder.declared().untilNanos() : later(holder.declared(), offer.part());
    Map<HolderId, Holder> merged = new TreeMap<>(current.holders);
    merged.put(who, holder.with(new Part(held, until), null).askedBy(seq));
    return current
        .withHolders(merged)
        .answered(bucket, who, null, Share.ZERO, offerNumber, nowNanos, rules);
  }

  /** The ledger with the quota of now; past time is priced at the terms of its time (S11). */
  public Ledger adopt(LedgerTerms newTerms, long nowNanos, Rules rules) {
    Ledger current = rules.on(Clause.S7_NO_TOKENS_BACKWARDS) ? this : turnedBack(nowNanos);
    return current.adopted(newTerms, nowNanos, rules);
  }

  private Ledger adopted(LedgerTerms newTerms, long nowNanos, Rules rules) {
    if (newTerms.equals(terms)) {
      return advance(nowNanos);
    }
    long since = newTerms.sinceNanos() - nowNanos > 0 ? nowNanos : newTerms.sinceNanos();
    Ledger before = rules.on(Clause.S11_NO_REPRICING) ? advance(since) : this;
    Map<HolderId, Holder> converted = new TreeMap<>();
    for (Map.Entry<HolderId, Holder> entry : before.holders.entrySet()) {
      converted.put(entry.getKey(), inUnit(entry.getValue(), newTerms.perNanos()));
    }
    Share free = newTerms.leasable();
    Bucket pool =
        rules.on(Clause.S11_NO_REPRICING)
            ? before.pool.with(rate(free, newTerms), free.burstMicros(), since)
            : repriced(before.pool, rate(free, newTerms), free.burstMicros());
    if (!rules.on(Clause.S11_GROWTH_IS_EMPTY)) {
      pool = filled(pool);
    }
    return new Ledger(newTerms, authority, before.pool, converted, mark)
        .withPool(pool)
        .refitted(since)
        .advance(nowNanos);
  }

  /** The ledger at an instant: the pool refilled, expired parts dropped, in the order of expiry. */
  public Ledger advance(long nowNanos) {
    Ledger current = this;
    for (OptionalLong expiry = current.nextExpiry(nowNanos);
        expiry.isPresent();
        expiry = current.nextExpiry(nowNanos)) {
      current = current.withoutPartsExpiredAt(expiry.getAsLong()).refitted(expiry.getAsLong());
    }
    return current.refitted(nowNanos);
  }

  /** What pool and leases hold in sum, by the largest each holder may have (S1). */
  public Share accountedAt(long nowNanos) {
    Share sum = Share.ZERO;
    for (Holder holder : holders.values()) {
      sum = plus(sum, holder.accountedAt(nowNanos));
    }
    return sum;
  }

  /** Whether forgetting the ledger changes nothing: nobody holds anything and the pool is full. */
  public boolean isForgettableAt(long nowNanos) {
    Ledger current = advance(nowNanos);
    if (current.pool.levelMicros() < current.terms.leasable().burstMicros()) {
      return false;
    }
    for (Holder holder : current.holders.values()) {
      if (!holder.accountedAt(nowNanos).isZero()
          || nowNanos - holder.heardAtNanos() < terms.longestTtlNanos()) {
        return false;
      }
    }
    return true;
  }

  // ---------------------------------------------------------------- what the agent states

  private Ledger stated(BucketReport report, HolderId who, long seq, long nowNanos, Rules rules) {
    Holder known = holders.getOrDefault(who, Holder.stranger(nowNanos));
    // Not cut to the quota: what was leased when it was larger counts in full, also when it grows
    // again.
    Share held =
        new Share(
                inUnit(report.held().rateMicros(), report.perNanos(), terms.perNanos()),
                report.held().burstMicros())
            .min(MOST);
    Outstanding offer = known.offer();
    boolean appliedNow = offer != null && isSame(report.applied(), offer.id(), rules);
    long credit = givenBack(report, known, held, nowNanos, rules);
    if (offer != null && !appliedNow) {
      credit = Saturating.plus(credit, returning(report, known, offer, who, nowNanos, rules));
    }
    Holder next =
        new Holder(
            seq,
            held.isZero() ? Part.NOTHING : new Part(held, heldUntil(known, appliedNow, nowNanos)),
            null,
            appliedNow || known.applied().equals(report.applied())
                ? report.applied()
                : OfferId.NONE,
            appliedNow && offer != null ? offer.sentAtNanos() : known.appliedSentAtNanos(),
            known.firstOffer(),
            report.givenBackMicros(),
            report.levelMicros(),
            report.demandMicros(),
            appliedNow || !rules.on(Clause.S2_ONE_WAY)
                ? 0
                : known.unapplied() + (offer == null ? 0 : 1),
            nowNanos,
            known.servedAtNanos());
    Map<HolderId, Holder> others = remembered(holders, terms.longestTtlNanos(), nowNanos);
    others.put(who, next);
    return withHolders(others).refitted(nowNanos).credited(credit);
  }

  private long heldUntil(Holder known, boolean appliedNow, long nowNanos) {
    Outstanding offer = known.offer();
    if (appliedNow && offer != null && !offer.part().isNothing()) {
      return offer.part().untilNanos();
    }
    if (!known.declared().isNothing()) {
      return known.declared().untilNanos();
    }
    // Where it comes from is not known: it may last as long as any lease can (S6).
    return nowNanos + terms.timing().takenBackAfterNanos(terms.longestTtlNanos());
  }

  /** Tokens cut off since the last report, as far as the holder's room falls with this one (S4). */
  private long givenBack(
      BucketReport report, Holder known, Share held, long nowNanos, Rules rules) {
    if (!isOfThisEntry(report.applied(), known, rules) && rules.on(Clause.S4_BASELINE)) {
      return 0;
    }
    long increase = Math.max(0, report.givenBackMicros() - known.givenBackMicros());
    long fall = Math.max(0, known.accountedAt(nowNanos).burstMicros() - held.burstMicros());
    return rules.on(Clause.S4_ONLY_AS_BURST_FALLS) ? Math.min(increase, fall) : increase;
  }

  /** Tokens of an offer that was not applied, cut to the room there was for them all the while. */
  private long returning(
      BucketReport report,
      Holder known,
      Outstanding offer,
      HolderId who,
      long nowNanos,
      Rules rules) {
    if (!rules.on(Clause.S5_ROOM_ON_RETURN)) {
      return offer.tokensMicros();
    }
    boolean boundKnown =
        known.applied().equals(report.applied()) && !report.applied().equals(OfferId.NONE);
    if (!boundKnown || offer.part().isNothing()) {
      return 0;
    }
    // The request cannot have been sent earlier than the applied offer was, plus what the agent has
    // measured since; from then until now the level can have risen beyond what it declared.
    long sinceApplied = report.sinceAppliedNanos();
    long onItsWay =
        Math.max(0, nowNanos - known.appliedSentAtNanos() - terms.timing().shrunk(sinceApplied));
    // The fastest it can have filled: with all that counted when the offer was sent, and the
    // largest floor it may use.
    Rate fastest =
        new Rate(
            Saturating.plus(offer.rateMicros(), terms.largestFloorOf(who).rateMicros()),
            terms.perNanos());
    long risen = fastest.minted(terms.timing().stretched(onItsWay)) + 1;
    long sinceOffer = fastest.minted(terms.timing().stretched(nowNanos - offer.sentAtNanos())) + 1;
    Share most = plus(known.accountedAt(nowNanos), terms.floorOf(who));
    long highest =
        Math.max(
            Math.max(report.highestMicros(), Saturating.plus(report.levelMicros(), risen)),
            Saturating.plus(known.levelMicros(), sinceOffer));
    return Math.min(offer.tokensMicros(), Math.max(0, most.burstMicros() - highest));
  }

  private boolean isOfThisEntry(OfferId applied, Holder known, Rules rules) {
    boolean ours = applied.authority() == authority.id() || !rules.on(Clause.S3_AUTHORITY_IN_OFFER);
    return ours && known.firstOffer() != 0 && applied.number() >= known.firstOffer();
  }

  private static boolean isSame(OfferId applied, OfferId offered, Rules rules) {
    return rules.on(Clause.S3_AUTHORITY_IN_OFFER)
        ? applied.equals(offered)
        : applied.number() == offered.number();
  }

  // ---------------------------------------------------------------- what it is answered

  private LedgerStep answered(
      BucketId bucket,
      HolderId who,
      @Nullable BucketReport report,
      Share before,
      long offerNumber,
      long nowNanos,
      Rules rules) {
    Holder holder = holder(who);
    Share held = holder.declared().at(nowNanos);
    boolean learning = authority.isLearningAt(nowNanos) && rules.on(Clause.S9_LEARNING);
    Map<HolderId, Share> targets = targets(nowNanos);
    boolean othersShort = othersAreShort(who, targets, nowNanos);
    Share free = freeFor(who, learning, nowNanos, rules);
    boolean gaveUp = held.rateMicros() < before.rateMicros();
    Share offered =
        offered(who, holder, held, gaveUp, learning, targets, othersShort, free, nowNanos);
    if (report == null && held.fitsIn(offered)) {
      return silentStep();
    }
    long tokens = report == null || learning ? 0 : tokens(who, report, held, offered, othersShort);
    boolean comes = isOnItsWayTo(who, held, offered, targets, nowNanos);
    // Whoever applied nothing lately is told so that it has something to apply (S2).
    if (offered.isZero() && held.isZero() && !isNotReached(holder) && !comes) {
      return new LedgerStep(
          this, null, recalls(who, targets, nowNanos), null, warning(report, nowNanos));
    }
    Outstanding offer =
        new Outstanding(
            new OfferId(authority.id(), offerNumber),
            new Part(
                offered,
                nowNanos
                    + (rules.on(Clause.S6_GUARD)
                        ? terms.timing().takenBackAfterNanos(terms.ttlNanos())
                        : terms.ttlNanos())),
            Math.max(offered.rateMicros(), held.rateMicros()),
            tokens,
            nowNanos);
    Holder offeredHolder = holder.with(holder.declared(), offer);
    if (offered.burstMicros() > 0) {
      offeredHolder = servedAt(offeredHolder, nowNanos, held);
    }
    Map<HolderId, Holder> next = new TreeMap<>(holders);
    next.put(who, offeredHolder);
    Ledger ledger =
        withHolders(next)
            .withPool(rules.on(Clause.S4_TOKENS_LEAVE_THE_POOL) ? minus(pool, tokens) : pool)
            .refitted(nowNanos);
    boolean confirm = comes || (othersShort && !held.fitsIn(offered));
    BucketOffer answer =
        new BucketOffer(
            bucket,
            offer.id(),
            terms.perNanos(),
            offered,
            tokens,
            terms.ttlNanos(),
            confirm,
            othersShort || othersWant(who, nowNanos),
            learning);
    Mark newMark = ledger.markNeeded();
    return new LedgerStep(
        newMark == null ? ledger : ledger.withMark(newMark),
        answer,
        ledger.recalls(who, targets, nowNanos),
        newMark,
        warning(report, nowNanos));
  }

  private Share offered(
      HolderId who,
      Holder holder,
      Share held,
      boolean gaveUp,
      boolean learning,
      Map<HolderId, Share> targets,
      boolean othersShort,
      Share free,
      long nowNanos) {
    if (isDraining(who)) {
      return Share.ZERO;
    }
    Share target = targets.getOrDefault(who, Share.ZERO);
    boolean idle = target.isZero();
    boolean small =
        held.rateMicros() - target.rateMicros() <= toleratedMicros(who, targets, nowNanos);
    // Room of a slow bucket comes back also when nobody waits for it: the pool keeps tokens there.
    Share kept =
        terms.isSlow()
            ? new Share(held.rateMicros(), Math.min(held.burstMicros(), target.burstMicros()))
            : held;
    Share wanted =
        learning ? held : idle ? Share.ZERO : (othersShort && !small) ? target : target.max(kept);
    // What a holder has just given up is not pressed on it again: others may be about to ask.
    boolean enough =
        Saturating.plus(held.rateMicros(), terms.floorOf(who).rateMicros()) >= demandRate(holder);
    if (isNotReached(holder) || (gaveUp && enough)) {
      wanted = wanted.min(held);
    }
    Share offered = wanted.min(free);
    long floorBurst = terms.floorOf(who).burstMicros();
    long unit = terms.maxCostMicros();
    // Room beside a floor that has room for a request is of use however little it is.
    Share whole =
        floorBurst >= unit
            ? offered
            : new Share(offered.rateMicros(), offered.burstMicros() / unit * unit);
    boolean hasRoom = whole.burstMicros() + floorBurst >= unit;
    return learning ? offered : hasRoom ? whole : Share.ZERO;
  }

  private Share freeFor(HolderId who, boolean learning, long nowNanos, Rules rules) {
    Share capacity =
        learning && !rules.on(Clause.S9_CONFIRM_LESS_FLOORS) ? terms.whole() : terms.leasable();
    if (!rules.on(Clause.S2_OFFER_ONLY_WHAT_IS_FREE)) {
      return capacity;
    }
    Share others = Share.ZERO;
    for (Map.Entry<HolderId, Holder> entry : holders.entrySet()) {
      if (!entry.getKey().equals(who)) {
        others =
            plus(
                others,
                rules.on(Clause.S2_LARGER_OF_DECLARED_AND_OFFERED)
                    ? entry.getValue().accountedAt(nowNanos)
                    : lastSaid(entry.getValue(), nowNanos));
      }
    }
    return capacity.minusOrZero(others);
  }

  private static Share lastSaid(Holder holder, long nowNanos) {
    return holder.offer() == null
        ? holder.declared().at(nowNanos)
        : holder.offer().part().at(nowNanos);
  }

  /** Tokens that go along: what fits into the room the holder has, never most of a slow pool. */
  private long tokens(
      HolderId who, BucketReport report, Share held, Share offered, boolean othersShort) {
    long burst = Saturating.plus(terms.floorOf(who).burstMicros(), offered.burstMicros());
    long room = Math.max(0, burst - report.levelMicros());
    long level = pool.levelMicros();
    // What the pool would have to give up because its burst shrinks goes along, if it fits.
    long grown = Math.max(0, offered.burstMicros() - held.burstMicros());
    long burstLeft = Math.max(0, pool.burstMicros() - grown);
    long overflow = Math.max(0, level - burstLeft);
    long wanted;
    if (terms.isSlow()) {
      long supply =
          Math.max(
              terms.maxCostMicros(),
              Math.min(
                  Saturating.times(report.demandMicros(), SLOW_SUPPLY_SECONDS),
                  level / (2L * holders.size())));
      wanted = Math.max(0, supply - report.levelMicros());
    } else if (othersShort) {
      long leasable = Math.max(1, terms.leasable().burstMicros());
      wanted = MulDiv.down(level, Math.min(leasable, offered.burstMicros()), leasable);
    } else {
      wanted = level;
    }
    return Math.min(room, Math.min(level, Math.max(wanted, overflow)));
  }

  // ---------------------------------------------------------------- who gets how much

  private Map<HolderId, Share> targets(long nowNanos) {
    List<Claim> claims = new ArrayList<>();
    Map<HolderId, Share> fixed = new TreeMap<>();
    Share leasable = terms.leasable();
    for (Map.Entry<HolderId, Holder> entry : holders.entrySet()) {
      Holder holder = entry.getValue();
      RegionTerms region = terms.region(entry.getKey().region());
      Share has = holder.accountedAt(nowNanos);
      if (isSilent(entry.getKey(), holder, nowNanos) || region.drained()) {
        leasable = leasable.minusOrZero(has);
        fixed.put(entry.getKey(), region.drained() ? Share.ZERO : has);
      } else {
        claims.add(
            new Claim(
                entry.getKey(),
                Math.max(1, region.weight()),
                terms.floorOf(entry.getKey()).rateMicros(),
                // Of a quota without a rate its burst is wanted all the same.
                Math.max(demandRate(holder), holder.demandMicros() > 0 ? 1 : 0),
                waited(holder, nowNanos)));
      }
    }
    // As in what is offered.
    boolean floorsHaveRoom =
        claims.stream()
            .allMatch(
                claim -> terms.floorOf(claim.holder()).burstMicros() >= terms.maxCostMicros());
    long unit = floorsHaveRoom ? 1 : terms.maxCostMicros();
    Map<HolderId, Share> shares = FairShare.divide(leasable, unit, claims);
    Map<HolderId, Share> targets = terms.isSlow() ? sparing(shares) : new TreeMap<>(shares);
    targets.putAll(fixed);
    return targets;
  }

  /** Whether its requests arrive and answers to it do not (S2). */
  private static boolean isNotReached(Holder holder) {
    return holder.unapplied() >= ONE_WAY_AFTER;
  }

  /**
   * Whether a holder has stopped speaking, or is not reached. One that wants more speaks at every
   * tick, one that has enough when it renews; a silent one keeps what it is accounted at until that
   * expires.
   */
  private boolean isSilent(HolderId who, Holder holder, long nowNanos) {
    if (isNotReached(holder)) {
      return true;
    }
    long unheard = nowNanos - holder.heardAtNanos();
    Share has = plus(holder.accountedAt(nowNanos), terms.floorOf(who));
    boolean wants = demandRate(holder) > has.rateMicros();
    return unheard > SILENT_NANOS
        && (wants || has.isZero() || unheard > terms.ttlNanos() / 2 + Nanos.SECOND_NANOS);
  }

  /**
   * Where room goes round: whoever has it keeps it for a turn, then those first that wait longest.
   */
  private static long waited(Holder holder, long nowNanos) {
    long sinceServed = nowNanos - holder.servedAtNanos();
    if (holder.accountedAt(nowNanos).burstMicros() == 0) {
      return sinceServed;
    }
    return sinceServed < TURN_NANOS ? Long.MAX_VALUE : 0;
  }

  /** Of a slow bucket only so much room is leased as the next seconds need. */
  private Map<HolderId, Share> sparing(Map<HolderId, Share> shares) {
    Map<HolderId, Share> sparing = new TreeMap<>();
    long unit = terms.maxCostMicros();
    // What does not fit into the pool's burst would have to go along: all together get half of it.
    long most = terms.leasable().burstMicros() / (2L * Math.max(1, shares.size()));
    for (Map.Entry<HolderId, Share> entry : shares.entrySet()) {
      Share share = entry.getValue();
      long needed =
          Saturating.times(holder(entry.getKey()).demandMicros(), 2 * SLOW_SUPPLY_SECONDS);
      long room = Math.max(unit, Math.min(needed, most));
      long units = room / unit + (room % unit == 0 ? 0 : 1);
      sparing.put(
          entry.getKey(),
          new Share(
              share.rateMicros(), Math.min(share.burstMicros(), Saturating.times(units, unit))));
    }
    return sparing;
  }

  private long demandRate(Holder holder) {
    long rate =
        new Rate(holder.demandMicros(), Nanos.SECOND_NANOS).toPer(terms.perNanos(), true).micros();
    return Math.min(rate, terms.whole().rateMicros());
  }

  private boolean othersAreShort(HolderId who, Map<HolderId, Share> targets, long nowNanos) {
    for (Map.Entry<HolderId, Holder> entry : holders.entrySet()) {
      if (!entry.getKey().equals(who) && isShort(entry.getKey(), targets, nowNanos)) {
        return true;
      }
    }
    return false;
  }

  /**
   * How much more than its part a holder may keep while others are short: not worth a change, and
   * less than what many such holders together keep from one.
   */
  private long toleratedMicros(HolderId who, Map<HolderId, Share> targets, long nowNanos) {
    long tolerated = terms.whole().rateMicros() / HYSTERESIS_PARTS;
    for (Map.Entry<HolderId, Holder> entry : holders.entrySet()) {
      HolderId other = entry.getKey();
      if (!other.equals(who) && isShort(other, targets, nowNanos)) {
        long missing =
            targets.getOrDefault(other, Share.ZERO).rateMicros()
                - entry.getValue().accountedAt(nowNanos).rateMicros();
        tolerated = Math.min(tolerated, Math.max(0, missing) / holders.size());
      }
    }
    return tolerated;
  }

  /** Whether somebody else asks for more than it has, entitled to it or not. */
  private boolean othersWant(HolderId who, long nowNanos) {
    for (Map.Entry<HolderId, Holder> entry : holders.entrySet()) {
      HolderId other = entry.getKey();
      Holder holder = entry.getValue();
      long has =
          Saturating.plus(
              holder.accountedAt(nowNanos).rateMicros(), terms.floorOf(other).rateMicros());
      if (!other.equals(who) && !isSilent(other, holder, nowNanos) && demandRate(holder) > has) {
        return true;
      }
    }
    return false;
  }

  /** Whether a holder wants more than it has, and its part is larger than what it has. */
  private boolean isShort(HolderId who, Map<HolderId, Share> targets, long nowNanos) {
    Holder holder = holder(who);
    Share has = holder.accountedAt(nowNanos);
    Share target = targets.getOrDefault(who, Share.ZERO);
    boolean wants =
        demandRate(holder) > Saturating.plus(has.rateMicros(), terms.floorOf(who).rateMicros());
    long step = terms.whole().rateMicros() / HYSTERESIS_PARTS;
    boolean rateShort = wants && target.rateMicros() - has.rateMicros() > step;
    boolean noRoom =
        holder.demandMicros() > 0
            && terms.leasable().burstMicros() >= terms.maxCostMicros()
            && Saturating.plus(has.burstMicros(), terms.floorOf(who).burstMicros())
                < terms.maxCostMicros();
    return !isSilent(who, holder, nowNanos) && (rateShort || noRoom);
  }

  /**
   * Whether so much is about to come free for a holder that it should ask again at once: others
   * have been told, or will be at their next request, to give it up.
   */
  private boolean isOnItsWayTo(
      HolderId who, Share held, Share offered, Map<HolderId, Share> targets, long nowNanos) {
    long missing =
        targets.getOrDefault(who, Share.ZERO).rateMicros()
            - Math.max(held.rateMicros(), offered.rateMicros());
    return missing > terms.whole().rateMicros() / LARGE_PARTS
        && !recalls(who, targets, nowNanos).isEmpty();
  }

  private List<HolderId> recalls(HolderId who, Map<HolderId, Share> targets, long nowNanos) {
    List<HolderId> recalls = new ArrayList<>();
    if (!isShort(who, targets, nowNanos)) {
      return recalls;
    }
    for (Map.Entry<HolderId, Holder> entry : holders.entrySet()) {
      Share has = entry.getValue().accountedAt(nowNanos);
      if (!entry.getKey().equals(who)
          && !has.isZero()
          && !has.fitsIn(targets.getOrDefault(entry.getKey(), Share.ZERO))) {
        recalls.add(entry.getKey());
      }
    }
    return recalls;
  }

  private boolean isDraining(HolderId who) {
    return terms.region(who.region()).drained();
  }

  private @Nullable String warning(@Nullable BucketReport report, long nowNanos) {
    if (report == null) {
      return null;
    }
    Share sum = accountedAt(nowNanos);
    return sum.fitsIn(terms.leasable())
        ? null
        : "declared in sum " + sum + ", more than " + terms.leasable() + " without floors";
  }

  // ---------------------------------------------------------------- low-water marks

  /**
   * The mark that must be durable before tokens above it leave, or null when the last one holds.
   */
  private @Nullable Mark markNeeded() {
    if (!terms.isSlow()) {
      // What is no longer kept up to date must not be believed after a restart.
      return mark.number() > 0 && mark.levelMicros() > 0 ? new Mark(mark.number() + 1, 0) : null;
    }
    long ahead = terms.whole().burstMicros() / MARK_AHEAD_PARTS;
    long level = pool.levelMicros();
    // A bucket without a mark counts as untouched: from the first offer on it is not.
    boolean none = mark.number() == 0;
    boolean tooHigh = level < mark.levelMicros();
    boolean tooLow = level - mark.levelMicros() > 4 * ahead;
    return none || tooHigh || tooLow
        ? new Mark(mark.number() + 1, Math.max(0, level - ahead))
        : null;
  }

  // ---------------------------------------------------------------- keeping the partition

  private Ledger refitted(long nowNanos) {
    Share free = terms.leasable().minusOrZero(accountedAt(nowNanos));
    return withPool(pool.with(rate(free, terms), free.burstMicros(), nowNanos));
  }

  /** As if nothing were leased: what goes wrong without S1. */
  private Ledger withWholePool(long nowNanos) {
    Share whole = terms.leasable();
    return withPool(pool.with(rate(whole, terms), whole.burstMicros(), nowNanos));
  }

  /** As if what a clock said later had never been said: what goes wrong without S7. */
  private Ledger turnedBack(long nowNanos) {
    return authority.isLearningAt(nowNanos) || pool.atNanos() - nowNanos < 0
        ? this
        : withPool(
            new Bucket(
                pool.levelMicros(), pool.carry(), nowNanos, pool.rate(), pool.burstMicros()));
  }

  private Ledger credited(long micros) {
    long level = Math.min(pool.burstMicros(), Saturating.plus(pool.levelMicros(), micros));
    return withPool(withLevel(pool, level));
  }

  /** The first expiry that has come, of those not yet walked through. */
  private OptionalLong nextExpiry(long nowNanos) {
    OptionalLong first = OptionalLong.empty();
    for (Holder holder : holders.values()) {
      for (Part part : holder.parts()) {
        if (!part.isNothing()
            && nowNanos - part.untilNanos() >= 0
            && (first.isEmpty() || part.untilNanos() - first.getAsLong() < 0)) {
          first = OptionalLong.of(part.untilNanos());
        }
      }
    }
    return first;
  }

  private Ledger withoutPartsExpiredAt(long instant) {
    Map<HolderId, Holder> left = new TreeMap<>();
    holders.forEach((who, holder) -> left.put(who, holder.withoutPartsExpiredAt(instant)));
    return withHolders(left);
  }

  /** Without those who have nothing and have not spoken for as long as any lease can last. */
  private static Map<HolderId, Holder> remembered(
      Map<HolderId, Holder> holders, long longestTtlNanos, long nowNanos) {
    Map<HolderId, Holder> left = new TreeMap<>(holders);
    left.values()
        .removeIf(
            holder -> holder.hasNothing() && nowNanos - holder.heardAtNanos() > longestTtlNanos);
    return left;
  }

  /** Rounded up: a holder is never accounted at less than it may use. */
  private static long inUnit(long rateMicros, long fromPerNanos, long toPerNanos) {
    return fromPerNanos == toPerNanos
        ? rateMicros
        : new Rate(rateMicros, fromPerNanos).toPer(toPerNanos, true).micros();
  }

  private Part inUnit(Part part, long perNanos) {
    return new Part(
        new Share(
            inUnit(part.share().rateMicros(), terms.perNanos(), perNanos),
            part.share().burstMicros()),
        part.untilNanos());
  }

  private Holder inUnit(Holder holder, long perNanos) {
    if (perNanos == terms.perNanos()) {
      return holder;
    }
    Outstanding offer = holder.offer();
    return holder.with(
        inUnit(holder.declared(), perNanos),
        offer == null
            ? null
            : new Outstanding(
                offer.id(),
                inUnit(offer.part(), perNanos),
                inUnit(offer.rateMicros(), terms.perNanos(), perNanos),
                offer.tokensMicros(),
                offer.sentAtNanos()));
  }

  private static Share plus(Share one, Share other) {
    return new Share(
        Saturating.plus(one.rateMicros(), other.rateMicros()),
        Saturating.plus(one.burstMicros(), other.burstMicros()));
  }

  private static Rate rate(Share share, LedgerTerms terms) {
    return new Rate(share.rateMicros(), terms.perNanos());
  }

  private static long later(Part one, Part other) {
    if (one.isNothing() || other.isNothing()) {
      return one.isNothing() ? other.untilNanos() : one.untilNanos();
    }
    return Nanos.later(one.untilNanos(), other.untilNanos());
  }

  private static Bucket withLevel(Bucket bucket, long levelMicros) {
    return new Bucket(
        levelMicros, bucket.carry(), bucket.atNanos(), bucket.rate(), bucket.burstMicros());
  }

  private static Bucket minus(Bucket bucket, long micros) {
    return withLevel(bucket, bucket.levelMicros() - micros);
  }

  /** As if the rate had always been this one: what goes wrong without S11. */
  private static Bucket repriced(Bucket bucket, Rate rate, long burstMicros) {
    return new Bucket(
        Math.min(bucket.levelMicros(), burstMicros), 0, bucket.atNanos(), rate, burstMicros);
  }

  private static Bucket filled(Bucket bucket) {
    return withLevel(bucket, bucket.burstMicros());
  }

  private static Holder servedAt(Holder holder, long nowNanos, Share held) {
    // A turn starts when room is given, and lasts until it has been given back.
    return held.burstMicros() > 0 ? holder : holder.servedAt(nowNanos);
  }

  private Ledger withHolders(Map<HolderId, Holder> next) {
    return new Ledger(terms, authority, pool, next, mark);
  }

  private Ledger withPool(Bucket next) {
    return new Ledger(terms, authority, next, holders, mark);
  }

  private Ledger withMark(Mark next) {
    return new Ledger(terms, authority, pool, holders, next);
  }

  private LedgerStep silentStep() {
    return new LedgerStep(this, null, List.of(), null, null);
  }

  private Holder holder(HolderId who) {
    Holder holder = holders.get(who);
    if (holder == null) {
      throw new AssertionError("no holder " + who);
    }
    return holder;
  }
}
