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
    Ledger before = current(bucket, stored, quota, nowNanos);
    LedgerStep step =
        before.on(report, who, seq, quota.terms(), offers.incrementAndGet(), nowNanos, rules);
    rebalances.look(bucket, who, !step.recalls().isEmpty(), nowNanos);
    return owned(bucket, before, step);
  }

  Owned lastWord(
      BucketId bucket, @Nullable Ledger stored, BucketReport report, HolderId who, long seq) {
    QuotaView quota = view.quota(bucket.quota());
    if (quota == null) {
      return new Owned(stored, LedgerReply.NOTHING);
    }
    long nowNanos = nowNanos();
    Ledger before = current(bucket, stored, quota, nowNanos);
    return owned(bucket, before, before.lastWord(report, who, seq, quota.terms(), nowNanos, rules));
  }

  Owned recall(BucketId bucket, @Nullable Ledger stored, HolderId who, long seq) {
    QuotaView quota = view.quota(bucket.quota());
    if (quota == null || stored == null || !isOurs(stored)) {
      return new Owned(stored, LedgerReply.NOTHING);
    }
    return owned(
        bucket,
        stored,
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
    return marked(bucket, stored, stored.adopt(quota.terms(), nowNanos(), rules));
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
    Bucket untouched = quota.untouched();
    if (mark != null) {
      return Ledger.openAtMark(quota.terms(), quota.authority(), untouched, mark, nowNanos);
    }
    Mark first = firstMark(bucket, quota, untouched.refill(nowNanos));
    return Ledger.open(quota.terms(), quota.authority(), untouched, first, nowNanos);
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

  /**
   * A bucket that became slow has a level that must survive from now on: with whichever step it
   * heard of it.
   */
  private Ledger marked(BucketId bucket, Ledger before, Ledger after) {
    Ledger marked = after.markedIfItBecameSlow(before);
    if (!marked.equals(after)) {
      marks.put(bucket, marked.mark());
    }
    return marked;
  }

  private Owned owned(BucketId bucket, Ledger before, LedgerStep step) {
    Mark mark = step.mark();
    if (mark != null) {
      marks.put(bucket, mark);
    }
    return new Owned(
        marked(bucket, before, step.next()),
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
