package dev.weir.coordinator.desk;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Many answers waited for as one, without a thread. */
final class Stages {
  private Stages() {}

  /** Completes with all values, in their order, or with the first failure. */
  static <T> CompletableFuture<List<T>> all(List<? extends CompletionStage<T>> stages) {
    List<CompletableFuture<T>> futures = new ArrayList<>(stages.size());
    for (CompletionStage<T> stage : stages) {
      futures.add(stage.toCompletableFuture());
    }
    return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
        .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
  }
}
