package dev.weir.coordinator.grid;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.map.EntryProcessor;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.Ledger;
import dev.weir.core.message.BucketReport;
import dev.weir.core.quota.BucketId;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What can be done to a ledger, sent to its owner as data. There it finds that member's {@link
 * LedgerOwner}; a copy on another member is given the resulting ledger, and never does the step
 * again, since its clock and its copy may differ.
 */
final class Steps {
  /** Under which a member keeps its {@link LedgerOwner}. */
  static final String OWNER = "dev.weir.owner";

  private Steps() {}

  /**
   * Data of one step.
   *
   * @param kind what to do
   * @param report with {@link Kind#REPORT}, {@link Kind#LAST_WORD} and {@link Kind#FENCED_WORD}
   * @param who whose request, with these and {@link Kind#RECALL}
   * @param seq its number
   */
  record Step(Kind kind, @Nullable BucketReport report, @Nullable HolderId who, long seq) {}

  /** The steps there are. */
  enum Kind {
    /** Take what an agent declares, and answer. */
    REPORT,
    /** Take what an agent declares, and answer nothing: it leaves. */
    LAST_WORD,
    /** Take what an agent declares, and answer nothing: it must stop. */
    FENCED_WORD,
    /** Tell a holder to give back, if it has too much. */
    RECALL,
    /** Open the ledger of a bucket that has a mark. */
    OPEN,
    /** Take the quota of now. */
    ADOPT,
    /** Forget the ledger if that changes nothing. */
    SWEEP,
    /** Look, and change nothing. */
    PEEK
  }

  /**
   * A step on its way or at work. One is made per key, so that it may carry the result to copies.
   */
  static final class Processor
      implements EntryProcessor<BucketId, Ledger, Object>, HazelcastInstanceAware {
    private static final long serialVersionUID = 1;

    private final transient Step step;
    private transient @Nullable LedgerOwner owner;
    private transient @Nullable Ledger result;
    private transient boolean changed;

    Processor(Step step) {
      this.step = step;
    }

    Step step() {
      return step;
    }

    @Override
    public void setHazelcastInstance(HazelcastInstance member) {
      owner = (LedgerOwner) member.getUserContext().get(OWNER);
    }

    @Override
    public @Nullable Object process(Map.Entry<BucketId, @Nullable Ledger> entry) {
      LedgerOwner here = Objects.requireNonNull(owner, "no owner on this member");
      BucketId bucket = entry.getKey();
      Ledger stored = entry.getValue();
      return switch (step.kind()) {
        case REPORT ->
            answered(entry, here.report(bucket, stored, reportOf(step), whoOf(step), step.seq()));
        case LAST_WORD, FENCED_WORD ->
            answered(entry, here.lastWord(bucket, stored, reportOf(step), whoOf(step), step.seq()));
        case RECALL -> answered(entry, here.recall(bucket, stored, whoOf(step), step.seq()));
        case OPEN -> put(entry, here.opened(bucket, stored));
        case ADOPT -> put(entry, here.adopted(bucket, stored));
        case SWEEP -> put(entry, here.kept(bucket, stored));
        case PEEK -> here.seen(stored);
      };
    }

    private LedgerReply answered(
        Map.Entry<BucketId, @Nullable Ledger> entry, LedgerOwner.Owned owned) {
      put(entry, owned.next());
      return owned.reply();
    }

    /** Returns whether there is a ledger afterwards. */
    private boolean put(Map.Entry<BucketId, @Nullable Ledger> entry, @Nullable Ledger next) {
      Ledger before = entry.getValue();
      if (before != null || next != null) {
        entry.setValue(next);
        Objects.requireNonNull(owner).count(entry.getKey(), before, next, step);
        result = next;
        changed = true;
      }
      return next != null;
    }

    @Override
    public @Nullable EntryProcessor<BucketId, Ledger, Object> getBackupProcessor() {
      return changed ? new Copy(result) : null;
    }
  }

  /** Sets a copy to what its owner made of the ledger. */
  static final class Copy implements EntryProcessor<BucketId, Ledger, Object> {
    private static final long serialVersionUID = 1;

    private final transient @Nullable Ledger ledger;

    Copy(@Nullable Ledger ledger) {
      this.ledger = ledger;
    }

    @Nullable Ledger ledger() {
      return ledger;
    }

    @Override
    public @Nullable Object process(Map.Entry<BucketId, @Nullable Ledger> entry) {
      entry.setValue(ledger);
      return null;
    }
  }

  private static BucketReport reportOf(Step step) {
    return Objects.requireNonNull(step.report(), "a report");
  }

  private static HolderId whoOf(Step step) {
    return Objects.requireNonNull(step.who(), "whose report");
  }
}
