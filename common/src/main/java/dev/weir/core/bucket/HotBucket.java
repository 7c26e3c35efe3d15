package dev.weir.core.bucket;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.math.Check;
import dev.weir.core.math.MulDiv;
import dev.weir.core.math.Nanos;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bucket of one key on an agent: any thread may take from it, without locks and without
 * allocation. It equals {@link Bucket}, step by step.
 *
 * <p><b>State.</b> One word, which only grows, and the {@link Terms} it is counted by. A decision
 * reads the word, then the terms, and changes the word by one compare-and-set. Terms are replaced
 * in two steps: first the new ones are published, on a stretch of the scale above every word the
 * old ones can reach; then the word is moved there. A thread that finds the word below the stretch
 * of the terms moves it itself, so nobody waits for anybody. Since no word is ever used twice, a
 * compare-and-set can only succeed under the terms its thread has read.
 *
 * <p><b>Expiry.</b> Terms carry their end. The first thread at or after it moves the bucket on to
 * what follows, as of that end exactly (S6).
 *
 * <p><b>Time.</b> Instants are of one monotonic clock, handed in. A decision whose instant lies
 * before one that another thread has used finds what was made until its own instant, less all that
 * was taken: time that goes backwards makes nothing.
 *
 * <p><b>Counting.</b> What was admitted is what the word grew by, less what was spilled because the
 * bucket was full. Spilled and refused are statistics: of two threads that add at the same moment,
 * one may be lost.
 */
public class HotBucket {
  /** The answer to a request that no amount of waiting helps. */
  public static final long NEVER = Bucket.NEVER;

  /** The answer of a bucket that was forgotten while it was looked up: look it up again. */
  public static final long RETIRED = Long.MIN_VALUE + 1;

  /** How far below the stretch of its terms the word of a retired bucket lies. */
  private static final long RETIRED_BELOW = 1L << 62;

  private static final VarHandle WORD;
  private static final VarHandle TERMS;
  private static final VarHandle SPILLED;
  private static final VarHandle REFUSED;
  private static final VarHandle PENDINGS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WORD = lookup.findVarHandle(HotBucket.class, "word", long.class);
      TERMS = lookup.findVarHandle(HotBucket.class, "terms", Terms.class);
      SPILLED = lookup.findVarHandle(HotBucket.class, "spilled", long.class);
      REFUSED = lookup.findVarHandle(HotBucket.class, "refused", long.class);
      PENDINGS = lookup.findVarHandle(HotBucket.class, "pendings", Pendings.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // 48 bytes with the header, of which a decision reads the first 24 to 32.
  volatile Terms terms;
  private volatile long word;
  private long spilled;
  private long refused;

  /** Only where a request that counts against several quotas has met this bucket. */
  private volatile @Nullable Pendings pendings;

  /** A bucket that nobody has touched yet. */
  public HotBucket(SharedTerms terms) {
    this.terms = terms;
    word = terms.freshWord;
    spilled = word;
  }

  /** A bucket that holds so much at an instant, or as much of it as fits. */
  public HotBucket(SharedTerms terms, long levelMicros, long nowNanos) {
    SharedTerms latest = terms.latest(nowNanos);
    this.terms = latest;
    word = latest.wordAt(Math.min(levelMicros, latest.burstMicros), nowNanos);
    spilled = word;
  }

  /**
   * Decides about one request. Cost 0 looks.
   *
   * @param nowNanos the instant now; what is admitted counts as taken then
   * @return admitted: the level left, zero or more. Refused: how many nanoseconds to wait until it
   *     is first admitted, if nothing comes between, rounded up, as a negative number; or {@link
   *     #NEVER}. Or {@link #RETIRED}
   * @throws IllegalArgumentException if the cost is negative
   */
  public final long take(long costMicros, long nowNanos) {
    Terms at = terms;
    long elapsedNanos = nowNanos - at.anchorNanos;
    if (costMicros <= 0 || !at.covers(elapsedNanos)) {
      return takeSlowly(costMicros, nowNanos, null);
    }
    // All that takes time comes before the word is read: the shorter the time between reading and
    // changing it, the seldomer another thread comes between.
    long mark = at.mark(elapsedNanos);
    while (true) {
      long from = (long) WORD.getAcquire(this);
      // Looked at again after the word was read, which is what makes the two belong together.
      if (terms != at || from - at.baseMicros < 0) {
        return takeSlowly(costMicros, nowNanos, null);
      }
      long full = from - mark > 0 ? from : mark;
      long level = at.burstMicros - (full - mark);
      if (costMicros > level) {
        return refuse(at, from, costMicros, nowNanos);
      }
      if (WORD.compareAndSet(this, from, full + costMicros)) {
        // Also where it is nothing: two threads that fight for the word are then slower by a fifth
        // less, and one alone is no slower.
        countSpilled(full - from);
        return level - costMicros;
      }
    }
  }

  /**
   * Takes like {@link #take}, but so that it can be given back: for a request that counts against
   * several quotas, or may be cancelled. If it was admitted, exactly one of {@link #keep} and
   * {@link #giveBack} must follow.
   */
  public final long reserve(long costMicros, long nowNanos, Receipt receipt) {
    Check.notNegative("costMicros", costMicros);
    if (receipt.open) {
      throw new IllegalStateException("the receipt is still open");
    }
    Pendings mine = pendings();
    // In this order: what is pending when the tokens are taken is then never counted too low.
    long resolved = mine.resolved();
    mine.join(costMicros);
    long answer = takeSlowly(costMicros, nowNanos, receipt);
    if (answer < 0) {
      mine.resolve(costMicros);
      return answer;
    }
    long others = mine.joined() - resolved - costMicros;
    receipt.markMicros -= others;
    receipt.costMicros = costMicros;
    receipt.open = true;
    return answer;
  }

  /** Keeps what was reserved: the request was admitted everywhere. */
  public final void keep(Receipt receipt) {
    close(receipt);
    pendings().resolve(receipt.costMicros);
  }

  /**
   * Gives back what was reserved, as far as there was room for it all the while (S12).
   *
   * <p>The level, together with all that may still be given back, rises by nothing but refilling.
   * So the highest it can have been since is what it was right after the charge, with the pending
   * charges of others, and what has been made since. After a change of terms nothing is given back,
   * after a mere renewal it is.
   *
   * @param clock read once per attempt, and only after the word was: an instant from before a
   *     decision of another thread would hide that the bucket was full then
   * @return what was given back, in {@code [0, cost]}
   */
  public final long giveBack(Receipt receipt, LongSupplier clock, Rules rules) {
    close(receipt);
    long given = giveBackRoomed(receipt, clock, rules);
    countSpilled(receipt.costMicros - given);
    pendings().resolve(receipt.costMicros);
    return given;
  }

  private long giveBackRoomed(Receipt receipt, LongSupplier clock, Rules rules) {
    boolean checksRoom = rules.on(Clause.S12_ROOM_FOR_GIVE_BACK);
    while (true) {
      long from = (long) WORD.getAcquire(this);
      Terms at = terms;
      long nowNanos = clock.getAsLong();
      if (from - at.baseMicros < 0) {
        if (arrive(at, from)) {
          continue;
        }
        return 0;
      }
      if (at.areOverAt(nowNanos)) {
        moveOn(at, nowNanos);
        continue;
      }
      if (checksRoom && at.baseMicros != receipt.baseMicros) {
        return 0;
      }
      long room = (checksRoom ? receipt.markMicros : from) - at.markAt(nowNanos);
      long given = Math.min(receipt.costMicros, Math.max(0, room));
      if (given == 0 || WORD.compareAndSet(this, from, from - given)) {
        return given;
      }
    }
  }

  private static void close(Receipt receipt) {
    if (!receipt.open) {
      throw new IllegalStateException("the receipt is not open");
    }
    receipt.open = false;
  }

  /** Returns the level at an instant, zero or more; or {@link #RETIRED}. */
  public final long levelAt(long nowNanos) {
    return take(0, nowNanos);
  }

  /**
   * Returns the wait of a refused request as if what the bucket stands on did not end: the answer
   * where leases are renewed in time. Nanoseconds, rounded up; 0 if it would be admitted now;
   * {@link #NEVER} if its cost passes today's burst or nothing refills.
   */
  public final long waitIfRenewedNanos(long costMicros, long nowNanos) {
    Terms at = inForce(nowNanos);
    if (at == null) {
      return NEVER;
    }
    long reachedNanos = reachedNanos(at, word, costMicros);
    long elapsedNanos = Minting.elapsedNanos(at.anchorNanos, nowNanos);
    return Minting.waitOf(Math.max(0, reachedNanos - elapsedNanos));
  }

  /** Returns what the bucket stands on at an instant. */
  public final Footing footingAt(long nowNanos) {
    Terms at = inForce(nowNanos);
    return at == null ? Footing.nothing(terms.standing()) : at.footing();
  }

  /** Returns what kind of footing that is, without an object. */
  public final Standing standingAt(long nowNanos) {
    Terms at = inForce(nowNanos);
    return (at == null ? terms : at).standing();
  }

  /** Returns how much fits, as of the last look at it: an end that has passed may not be in it. */
  public final long burstMicros() {
    return terms.burstMicros;
  }

  /** Running total of what was admitted, wrapping around: only differences mean something. */
  public final long admittedMicros() {
    return word - (long) SPILLED.getOpaque(this);
  }

  /** Running total of what was refused, wrapping around. */
  public final long refusedMicros() {
    return (long) REFUSED.getOpaque(this);
  }

  /** Running total of what was asked for, admitted or not, wrapping around. */
  public final long askedMicros() {
    return admittedMicros() + refusedMicros();
  }

  /** Returns at least as much as may still be given back: it counts as level in marks (S5). */
  public final long pendingMicros() {
    Pendings mine = pendings;
    if (mine == null) {
      return 0;
    }
    long resolved = mine.resolved();
    return mine.joined() - resolved;
  }

  /**
   * Changes what the bucket stands on. What was made until now was made at the old rate; the level
   * stays, and is cut to the new burst; only {@link Change#addMicros} is added, as far as there is
   * and was room. Called by one thread at a time.
   *
   * @return what was cut off because the new burst is smaller (S4), pending charges not included
   */
  public final long change(Change change, long nowNanos) {
    while (true) {
      Terms at = inForce(nowNanos);
      if (at == null) {
        return 0;
      }
      Terms changed = at.changed(change, nowNanos);
      Arrival arrival = changed.arrival;
      if (arrival != null && TERMS.compareAndSet(this, at, changed)) {
        settle(changed);
        return arrival.cutMicros;
      }
    }
  }

  /**
   * Gives the bucket another end, and nothing else: no level moves, and no receipt becomes void.
   *
   * @param footing as now, but for the end and what follows
   * @return false if it cannot be, because the bucket has moved on meanwhile (its lease ran out),
   *     the share is another or the end is earlier: it takes a {@link #change} then
   */
  public final boolean renew(Footing footing, long nowNanos) {
    while (true) {
      Terms at = inForce(nowNanos);
      if (at == null || !at.renewsTo(footing)) {
        return false;
      }
      if (TERMS.compareAndSet(this, at, at.renewed(footing))) {
        return true;
      }
    }
  }

  /**
   * Takes part in a change of shared terms.
   *
   * @param next made from the terms this bucket is on by {@link SharedTerms#changedForAll} or
   *     because they ended
   * @return false if it is on terms of its own, or retired
   */
  public final boolean follow(SharedTerms next) {
    Terms at = terms;
    if (at != next) {
      Arrival arrival = next.arrival;
      if (arrival == null || !(arrival.from instanceof SharedTerms before)) {
        return false;
      }
      if (at != before && !follow(before)) {
        return false;
      }
      settle(before);
      if (!TERMS.compareAndSet(this, before, next)) {
        return false;
      }
    }
    return settle(next);
  }

  /** Takes part in a renewal of shared terms; false if it is not on those. */
  public final boolean renew(SharedTerms from, SharedTerms renewed) {
    return TERMS.compareAndSet(this, from, renewed);
  }

  /** Whether it is on terms that it shares, and so follows their changes. */
  public final boolean isOnSharedTerms() {
    return terms instanceof SharedTerms;
  }

  /**
   * Retires the bucket if forgetting it changes nothing: it is full, holds no lease, nothing is
   * pending, and a new one of the same key would be full as well. From then on it answers {@link
   * #RETIRED}.
   *
   * @param fresh the terms a new bucket of that key would get
   */
  public final boolean retire(SharedTerms fresh, long nowNanos) {
    SharedTerms latest = fresh.latest(nowNanos);
    long from = (long) WORD.getAcquire(this);
    Terms at = inForce(nowNanos);
    if (at == null) {
      return true;
    }
    if (at.standing() == Standing.LEASE
        || pendingMicros() != 0
        || at.levelMicros(from, nowNanos) < at.burstMicros
        || latest.freshLevelMicros(nowNanos) < at.burstMicros) {
      return false;
    }
    // Fails if anybody has taken from it, or changed its terms, since the word was read.
    return WORD.compareAndSet(this, from, at.baseMicros - RETIRED_BELOW);
  }

  private long takeSlowly(long costMicros, long nowNanos, @Nullable Receipt receipt) {
    Check.notNegative("costMicros", costMicros);
    while (true) {
      long from = (long) WORD.getAcquire(this);
      Terms at = terms;
      if (from - at.baseMicros < 0) {
        if (arrive(at, from)) {
          continue;
        }
        return RETIRED;
      }
      if (at.areOverAt(nowNanos)) {
        moveOn(at, nowNanos);
        continue;
      }
      long mark = at.markAt(nowNanos);
      long full = from - mark > 0 ? from : mark;
      long level = at.burstMicros - (full - mark);
      if (costMicros == 0) {
        note(receipt, at, full);
        return Math.max(0, level);
      }
      if (costMicros > level) {
        return refuse(at, from, costMicros, nowNanos);
      }
      if (WORD.compareAndSet(this, from, full + costMicros)) {
        if (full != from) {
          countSpilled(full - from);
        }
        note(receipt, at, full + costMicros);
        return level - costMicros;
      }
    }
  }

  private static void note(@Nullable Receipt receipt, Terms at, long wordAfter) {
    if (receipt != null) {
      receipt.baseMicros = at.baseMicros;
      receipt.markMicros = wordAfter;
    }
  }

  /** The terms in force at an instant, with the bucket moved there; null if it is retired. */
  private @Nullable Terms inForce(long nowNanos) {
    while (true) {
      long from = (long) WORD.getAcquire(this);
      Terms at = terms;
      if (from - at.baseMicros < 0) {
        if (!arrive(at, from)) {
          return null;
        }
      } else if (at.areOverAt(nowNanos)) {
        moveOn(at, nowNanos);
      } else {
        return at;
      }
    }
  }

  /** Publishes what follows terms that are over, unless another thread has already. */
  private void moveOn(Terms over, long nowNanos) {
    TERMS.compareAndSet(this, over, over.successor(nowNanos));
  }

  /**
   * Moves a word that is below the stretch of these terms onto it, or lets another thread do so.
   *
   * @return false if the word is not on its way: the bucket is retired
   */
  private boolean arrive(Terms to, long from) {
    Arrival arrival = to.arrival;
    if (arrival == null || from - arrival.from.baseMicros < 0) {
      // Either the word was read before a change and the terms after it, or it is retired.
      return from != word || to != terms;
    }
    long entered = arrival.enter(to, from);
    if (WORD.compareAndSet(this, from, entered)) {
      countSpilled(entered - from);
      arrival.cutMicros = arrival.cut(to, from);
      if (!(to instanceof SharedTerms)) {
        to.arrival = null;
      }
    }
    return true;
  }

  private boolean settle(Terms to) {
    while (true) {
      long from = (long) WORD.getAcquire(this);
      if (from - to.baseMicros >= 0) {
        return true;
      }
      if (!arrive(to, from)) {
        return false;
      }
    }
  }

  private long refuse(Terms at, long word, long costMicros, long nowNanos) {
    countRefused(costMicros);
    long reachedNanos = reachedNanos(at, word, costMicros);
    if (reachedNanos >= at.untilNanos) {
      return lookAhead(at, word, costMicros, nowNanos);
    }
    return answer(Math.max(1, at.anchorNanos + reachedNanos - nowNanos));
  }

  /** The wait of a request that will not be admitted on these terms: on those that come then. */
  private static long lookAhead(Terms terms, long word, long costMicros, long nowNanos) {
    Terms at = terms;
    long from = word;
    while (at.untilNanos != Long.MAX_VALUE) {
      long endNanos = at.anchorNanos + at.untilNanos;
      Terms next = at.afterEnd();
      from = Objects.requireNonNull(next.arrival).enter(next, from);
      at = next;
      long reachedNanos = reachedNanos(at, from, costMicros);
      if (reachedNanos < at.untilNanos) {
        long admittedNanos = Nanos.later(at.anchorNanos + reachedNanos, endNanos);
        return answer(Math.max(1, admittedNanos - nowNanos));
      }
    }
    return NEVER;
  }

  private static long answer(long waitNanos) {
    long wait = Minting.waitOf(waitNanos);
    return wait == NEVER ? NEVER : -wait;
  }

  /** How long after the anchor there is enough for the cost; {@code Long.MAX_VALUE} for never. */
  private static long reachedNanos(Terms at, long word, long costMicros) {
    if (costMicros > at.burstMicros) {
      return Long.MAX_VALUE;
    }
    long wantedMicros = word - at.baseMicros + costMicros - at.burstMicros;
    if (wantedMicros <= 0) {
      return 0;
    }
    return at.rateMicros == 0
        ? Long.MAX_VALUE
        : MulDiv.up(wantedMicros, at.perNanos, at.rateMicros);
  }

  private Pendings pendings() {
    Pendings mine = pendings;
    if (mine != null) {
      return mine;
    }
    Pendings made = new Pendings();
    Pendings first = (Pendings) PENDINGS.compareAndExchange(this, (Pendings) null, made);
    return first == null ? made : first;
  }

  // Not atomic: a lost update costs a statistic, an atomic one every decision.

  private void countSpilled(long micros) {
    SPILLED.setOpaque(this, spilled + micros);
  }

  private void countRefused(long micros) {
    REFUSED.setOpaque(this, refused + micros);
  }
}
