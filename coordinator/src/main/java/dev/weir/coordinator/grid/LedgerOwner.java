package dev.weir.coordinator.grid;

import dev.weir.coordinator.grid.DeskView.QuotaView;
import dev.weir.coordinator.grid.Steps.Kind;
import dev.weir.coordinator.grid.Steps.Step;
import dev.weir.core.Rules;
import dev.weir.core.bucket.Bucket;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.Ledger;
import dev.weir.core.lease.LedgerStep;
import dev.weir.core.lease.Mark;
import dev.weir.core.message.BucketReport;
import dev.weir.core.quota.BucketId;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a member needs to change the ledgers it owns: its authority, its clock, the quotas it knows
 * and its marks. Partition threads call it with the entry they hold; it does no arithmetic, that is
 * the ledger's.
 *
 * <p>An entry written under another authority, by another member or before a restart, is not built
 * on: its instants are of another clock, and its leases are learnt from the agents (S9).
 */
public final class LedgerOwner {
  private final long authorityId;
  private final LongSupplier clock;
  private final Marks marks;
  private final Rules rules;
  private final AtomicLong offers = new AtomicLong();
  private final LeaseTotals totals = new LeaseTotals();
  private final Reclaims reclaims = new Reclaims();
  private final Rebalances rebalances = new Rebalances();
  private volatile DeskView view = DeskView.EMPTY;

  /**
   * Begins an authority.
   *
   * @param authorityId drawn when it began; part of every offer's number
   * @param clock the monotonic clock, read when a step runs
   */
  public LedgerOwner(long authorityId, LongSupplier clock, Marks marks, Rules rules) {
    this.authorityId = authorityId;
    this.clock = clock;
    this.marks = marks;
    this.rules = rules;
  }

  /** A ledger after a step, and what to say. */
  record Owned(@Nullable Ledger next, LedgerReply reply) {}

  /** Puts the quotas and floors of now in force for the steps from now on. */
  public void view(DeskView next) {
    view = next;
  }

  /** What is leased from the ledgers of this member. */
  public LeaseTotals totals() {
    return totals;
  }

  /** Leases that came back to the pools of this member. */
  public Reclaims reclaims() {
    return reclaims;
  }

  /** How long holders of this member's ledgers wait for their part. */
  public Rebalances rebalances() {
    return rebalances;
  }

  void count(BucketId bucket, @Nullable Ledger before, @Nullable Ledger after, Step step) {
    Ledger ours = isOurs(before) ? before : null;
    Ledger next = isOurs(after) ? after : null;
    totals.changed(bucket, ours, next);
    Reclaims.Cause why =
        step.kind() == Kind.FENCED_WORD ? Reclaims.Cause.FENCED : Reclaims.Cause.RELEASED;
    reclaims.look(bucket.quota(), ours, next, step.who(), why, nowNanos());
  }

  long nowNanos() {
    return clock.getAsLong();
  }

  Owned report(
      BucketId bucket, @Nullable Ledger stored, BucketReport report, HolderId who, long seq) {
    QuotaView quota = view.quota(bucket.quota());
    if (quota == null) {
      return new Owned(stored, LedgerReply.NOTHING);
    }
    long nowNanos = nowNanos();
    LedgerStep step =
        current(bucket, stored, quota, nowNanos)
            .on(report, who, seq, quota.terms(), offers.incrementAndGet(), nowNanos, rules);
    rebalances.look(bucket, who, !step.recalls().isEmpty(), nowNanos);
    return owned(bucket, step);
  }

  Owned lastWord(
      BucketId bucket, @Nullable Ledger stored, BucketReport report, HolderId who, long seq) {
    QuotaView quota = view.quota(bucket.quota());
    if (quota == null) {
      return new Owned(stored, LedgerReply.NOTHING);
    }
    long nowNanos = nowNanos();
    return owned(
        bucket,
        current(bucket, stored, quota, nowNanos)
            .lastWord(report, who, seq, quota.terms(), nowNanos, rules));
  }

  Owned recall(BucketId bucket, @Nullable Ledger stored, HolderId who, long seq) {
    QuotaView quota = view.quota(bucket.quota());
    if (quota == null || stored == null || !isOurs(stored)) {
      return new Owned(stored, LedgerReply.NOTHING);
    }
    return owned(
        bucket,
        stored.recall(
            bucket, who, seq, quota.terms(), offers.incrementAndGet(), nowNanos(), rules));
  }

  /** Opens a ledger that is not there, so that a change of its quota finds it (S11). */
  @Nullable Ledger opened(BucketId bucket, @Nullable Ledger stored) {
    QuotaView quota = view.quota(bucket.quota());
    if (quota == null) {
      forgetMark(bucket);
      return null;
    }
    return current(bucket, stored, quota, nowNanos());
  }

  /** Takes the quota of now into a ledger: time past is priced at the rate of its time (S11). */
  @Nullable Ledger adopted(BucketId bucket, @Nullable Ledger stored) {
    QuotaView quota = view.quota(bucket.quota());
    if (stored == null || !isOurs(stored) || quota == null) {
      forgetMark(bucket);
      return null;
    }
    Ledger next = stored.adopt(quota.terms(), nowNanos(), rules);
    return quota.terms().isSlow() && !stored.terms().isSlow() ? marked(bucket, next) : next;
  }

  /** Returns null when forgetting the ledger changes nothing, and then forgets its mark, too. */
  @Nullable Ledger kept(BucketId bucket, @Nullable Ledger stored) {
    if (stored == null || !isOurs(stored) || view.quota(bucket.quota()) == null) {
      return null;
    }
    long nowNanos = nowNanos();
    if (!stored.isForgettableAt(nowNanos)) {
      return stored.advance(nowNanos);
    }
    forgetMark(bucket);
    return null;
  }

  /** Returns the ledger as it is now, or null where there is none of this authority. */
  @Nullable LedgerSeen seen(@Nullable Ledger stored) {
    long nowNanos = nowNanos();
    return stored == null || !isOurs(stored)
        ? null
        : new LedgerSeen(stored.advance(nowNanos), nowNanos);
  }

  private void forgetMark(BucketId bucket) {
    Mark mark = marks.mark(bucket);
    if (mark != null) {
      marks.forget(bucket, mark.number() + 1);
    }
  }

  private Ledger current(BucketId bucket, @Nullable Ledger stored, QuotaView quota, long nowNanos) {
    if (stored != null && isOurs(stored)) {
      return stored;
    }
    Mark mark = marks.mark(bucket);
    Bucket pool = mark == null ? quota.untouched() : atMark(quota, mark);
    return Ledger.open(
        quota.terms(),
        quota.authority(),
        pool,
        mark == null ? firstMark(bucket, quota, pool.refill(nowNanos)) : mark,
        nowNanos);
  }

  /**
   * Without a mark nothing was granted. A full pool needs none before the first grant; one that is
   * still filling does, since leases will take a part of what fills it.
   */
  private Mark firstMark(BucketId bucket, QuotaView quota, Bucket pool) {
    Mark none = new Mark(0, pool.levelMicros());
    if (!quota.terms().isSlow() || pool.levelMicros() == pool.burstMicros()) {
      return none;
    }
    Mark first = new Mark(1, pool.levelMicros());
    marks.put(bucket, first);
    return first;
  }

  /** What is known to be left: the mark, and what was made since learning ended. */
  private static Bucket atMark(QuotaView quota, Mark mark) {
    Bucket untouched = quota.untouched();
    return new Bucket(
        Math.min(mark.levelMicros(), untouched.burstMicros()),
        0,
        quota.authority().learningUntilNanos(),
        untouched.rate(),
        untouched.burstMicros());
  }

  /** A bucket that became slow has a level that must survive from now on. */
  private Ledger marked(BucketId bucket, Ledger ledger) {
    Mark mark = new Mark(ledger.mark().number() + 1, ledger.pool().levelMicros());
    marks.put(bucket, mark);
    return new Ledger(ledger.terms(), ledger.authority(), ledger.pool(), ledger.holders(), mark);
  }

  private Owned owned(BucketId bucket, LedgerStep step) {
    Mark mark = step.mark();
    if (mark != null) {
      marks.put(bucket, mark);
    }
    return new Owned(
        step.next(),
        new LedgerReply(
            step.offer(),
            step.recalls(),
            mark != null || step.next().terms().isSlow(),
            step.warning()));
  }

  private boolean isOurs(@Nullable Ledger ledger) {
    return ledger != null && ledger.authority().id() == authorityId;
  }
}
