package dev.weir.bench;

import dev.weir.agent.Agents;
import dev.weir.agent.RateLimiter;
import dev.weir.agent.testcoordinator.TestCoordinator;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.QuotaSpec;
import java.nio.file.Files;

/**
 * Asks once for each of so many distinct tenants: memory, time, and what the coordinator heard.
 * {@code java -cp ... dev.weir.bench.ManyTenants [TENANTS]}.
 */
public final class ManyTenants {
  private static final long SETTLE_NANOS = 500_000_000L;

  private ManyTenants() {}

  /**
   * Runs once and prints.
   *
   * @param args how many tenants; a million by default
   */
  public static void main(String[] args) throws Exception {
    int tenants = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    QuotaSpec quota = Agents.perTenant("api", 10_000, 1_000);
    String[] names = new String[tenants];
    for (int i = 0; i < tenants; i++) {
      names[i] = String.format("tnt:%04d:usr:%08d", i % 1_000, i);
    }
    try (TestCoordinator coordinator = new TestCoordinator("c1", Agents.book(quota));
        RateLimiter limiter =
            RateLimiter.start(
                Agents.settings(
                    Files.createTempDirectory("weir-bench"),
                    null,
                    tenants,
                    coordinator.address()))) {
      Agents.eventually("quotas", limiter::hasQuotas);
      Agents.eventually(
          "the floor has filled",
          () ->
              limiter
                      .decide("shop", Descriptors.of("tenant", "probe"), 0)
                      .quotas()
                      .get(0)
                      .remainingMicros()
                  >= 100_000_000);
      long usedBefore = used();
      int requestsBefore = coordinator.requests().size();
      long startNanos = System.nanoTime();
      int admitted = 0;
      for (String name : names) {
        admitted += limiter.decide("shop", Descriptors.of("tenant", name), 1).allowed() ? 1 : 0;
      }
      long tookNanos = System.nanoTime() - startNanos;
      long usedAfter = used();
      long reports =
          coordinator.requests().stream()
              .skip(requestsBefore)
              .mapToLong(r -> r.buckets().size())
              .sum();
      System.out.printf(
          "%d tenants, %d admitted, %d with a bucket, %.1f s, %d ns each, %.1f MB or %.1f B each,"
              + " %d requests to the coordinator with %d buckets in them%n",
          tenants,
          admitted,
          limiter.keyCount(),
          tookNanos / 1e9,
          tookNanos / tenants,
          (usedAfter - usedBefore) / 1e6,
          (double) (usedAfter - usedBefore) / Math.max(1, limiter.keyCount()),
          coordinator.requests().size() - requestsBefore,
          reports);
    }
    System.exit(0);
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    long least = Long.MAX_VALUE;
    long startNanos = System.nanoTime();
    while (System.nanoTime() - startNanos < SETTLE_NANOS) {
      System.gc();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
