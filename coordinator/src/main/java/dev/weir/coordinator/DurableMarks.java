package dev.weir.coordinator;

import dev.weir.coordinator.grid.Marks;
import dev.weir.coordinator.state.MarkLog;
import dev.weir.core.lease.Mark;
import dev.weir.core.quota.BucketId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The marks of the data folder, as ledgers see them. */
record DurableMarks(MarkLog log) implements Marks {
  @Override
  public @Nullable Mark mark(BucketId bucket) {
    return log.mark(bucket);
  }

  @Override
  public List<BucketId> buckets() {
    return log.buckets();
  }

  @Override
  public void put(BucketId bucket, Mark mark) {
    log.put(bucket, mark);
  }

  @Override
  public void forget(BucketId bucket, long number) {
    log.forget(bucket, number);
  }

  @Override
  public CompletionStage<Void> durable(BucketId bucket) {
    return log.durable(bucket);
  }
}
