package dev.weir.coordinator.grid;

import dev.weir.core.lease.Mark;
import dev.weir.core.quota.BucketId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Low-water marks of slow buckets (S9). Any thread; nothing here waits. */
public interface Marks {
  /** The newest mark of a bucket, or null. */
  @Nullable Mark mark(BucketId bucket);

  /** The buckets that have one. */
  List<BucketId> buckets();

  /** Takes a mark, to be made durable. */
  void put(BucketId bucket, Mark mark);

  /** Forgets a mark, of a bucket that is full again. */
  void forget(BucketId bucket, long number);

  /** Completes when all marks taken so far for a bucket are durable. */
  CompletionStage<Void> durable(BucketId bucket);
}
