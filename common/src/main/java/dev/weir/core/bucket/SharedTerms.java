package dev.weir.core.bucket;

import dev.weir.core.math.Check;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Terms of many buckets at once: those of all keys of a quota that live on its floor. One such
 * object serves a million keys.
 *
 * <p>A key that was never seen holds what it would hold if it had been there, untouched, since the
 * floor became this boot's (S8): {@link #freshWord} is that, carried through every change.
 */
public final class SharedTerms extends Terms {
  private static final VarHandle SUCCESSOR;

  static {
    try {
      SUCCESSOR =
          MethodHandles.lookup().findVarHandle(SharedTerms.class, "successor", SharedTerms.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The word of a bucket that nobody has touched yet. */
  final long freshWord;

  /** The same object for every bucket that finds these terms over. */
  private volatile @Nullable SharedTerms successor;

  private SharedTerms(Draft draft, long freshWord) {
    super(draft);
    this.freshWord = freshWord;
  }

  private SharedTerms(Draft draft, SharedTerms before) {
    super(draft);
    freshWord = Objects.requireNonNull(draft.arrival()).enter(this, before.freshWord);
  }

  /**
   * Returns the first terms of a floor, or of whatever else keys share.
   *
   * @param footing what every key may spend
   * @param levelMicros what an untouched key holds at {@code sinceNanos}: 0 for a floor that has
   *     just become this boot's
   * @param sinceNanos since when it refills
   */
  public static SharedTerms first(Footing footing, long levelMicros, long sinceNanos) {
    long burstMicros = footing.share().burstMicros();
    long level = Check.inRange("levelMicros", levelMicros, 0, burstMicros);
    return new SharedTerms(new Draft(footing, 0, sinceNanos, null), burstMicros - level);
  }

  /**
   * Returns the terms after a change, for every bucket that is on these; see {@link
   * HotBucket#follow}.
   */
  public SharedTerms changedForAll(Change change, long nowNanos) {
    SharedTerms latest = latest(nowNanos);
    return new SharedTerms(latest.draftOf(change, nowNanos), latest);
  }

  /**
   * Returns these terms, or those that have followed by {@code nowNanos} because time alone ended
   * them.
   */
  public SharedTerms latest(long nowNanos) {
    SharedTerms terms = this;
    while (terms.areOverAt(nowNanos)) {
      terms = terms.successor(nowNanos);
    }
    return terms;
  }

  /**
   * Returns the same terms with a later end: no level moves, and no receipt becomes void.
   *
   * @throws IllegalArgumentException if the share is another, or the end earlier
   */
  public SharedTerms renewedForAll(Footing footing) {
    if (!renewsTo(footing)) {
      throw new IllegalArgumentException("not a later end of the same: " + footing);
    }
    return new SharedTerms(new Draft(footing, baseMicros, anchorNanos, arrival), freshWord);
  }

  /**
   * Puts off the end for every bucket at once. Only well before it: a thread that found these terms
   * over at the old end, while another still takes at the new one, would count on the wrong stretch
   * of the scale. Near the end it takes {@link #renewedForAll}.
   *
   * @param endsAtNanos not before the end now, else nothing changes
   */
  public void extend(long endsAtNanos) {
    if (untilNanos != Long.MAX_VALUE) {
      untilNanos = Math.max(untilNanos, endsAtNanos - anchorNanos);
    }
  }

  /** Returns what every key stands on while nothing else is said. */
  public Footing footingForAll() {
    return footing();
  }

  /** Returns what an untouched key holds at an instant at which these terms are not over. */
  public long freshLevelMicros(long nowNanos) {
    return levelMicros(freshWord, nowNanos);
  }

  /**
   * Forgets the terms before: every bucket has left them. A bucket that has not would be taken for
   * a retired one.
   */
  public void settled() {
    arrival = null;
  }

  @Override
  SharedTerms successor(long nowNanos) {
    SharedTerms known = successor;
    if (known != null) {
      return known;
    }
    SharedTerms made = new SharedTerms(draftOfSuccessor(nowNanos), this);
    SharedTerms first = (SharedTerms) SUCCESSOR.compareAndExchange(this, (SharedTerms) null, made);
    return first == null ? made : first;
  }
}
