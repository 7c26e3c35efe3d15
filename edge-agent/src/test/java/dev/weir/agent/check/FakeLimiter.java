package dev.weir.agent.check;

import dev.weir.agent.Decision;
import dev.weir.agent.Limiter;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.QuotaBook;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers what it was told to, and remembers what it was asked. */
final class FakeLimiter implements Limiter {
  final List<String> asked = new ArrayList<>();
  volatile CompletableFuture<Decision> answer =
      CompletableFuture.failedFuture(new IllegalStateException("no answer was set"));
  volatile QuotaBook book = QuotaBook.EMPTY;

  @Override
  public Decision decide(String domain, Descriptors descriptors, long cost) {
    return answer.join();
  }

  @Override
  public synchronized CompletionStage<Decision> decideLater(
      String domain, Descriptors descriptors, long cost) {
    asked.add(domain + " " + descriptors + " " + cost);
    return answer;
  }

  @Override
  public boolean hasQuotas() {
    return !book.domains().isEmpty();
  }

  @Override
  public QuotaBook quotas() {
    return book;
  }
}
