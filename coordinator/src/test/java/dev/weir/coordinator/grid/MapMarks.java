package dev.weir.coordinator.grid;

import dev.weir.core.lease.Mark;
import dev.weir.core.quota.BucketId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Marks that are durable at once. */
final class MapMarks implements Marks {
  final Map<BucketId, Mark> marks = new ConcurrentHashMap<>();

  @Override
  public @Nullable Mark mark(BucketId bucket) {
    return marks.get(bucket);
  }

  @Override
  public List<BucketId> buckets() {
    return List.copyOf(marks.keySet());
  }

  @Override
  public void put(BucketId bucket, Mark mark) {
    marks.put(bucket, mark);
  }

  @Override
  public void forget(BucketId bucket, long number) {
    marks.remove(bucket);
  }

  @Override
  public CompletionStage<Void> durable(BucketId bucket) {
    return CompletableFuture.completedFuture(null);
  }
}
