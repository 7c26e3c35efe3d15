package dev.weir.agent;

import static dev.weir.agent.Agents.book;
import static dev.weir.agent.Agents.eventually;
import static dev.weir.agent.Agents.perTenant;
import static dev.weir.agent.Agents.settings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.agent.testcoordinator.TestCoordinator;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.QuotaSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traffic to the coordinator grows with contended buckets, not with keys. */
class ManyTenantsTest {
  private static final int TENANTS = 100_000;

  @TempDir Path temp;

  @Test
  void tenantsThatFitTheirFloorCostTheCoordinatorNoWord() throws Exception {
    QuotaSpec quota = perTenant("api", 10_000, 1_000);
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(quota));
        RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
      eventually("the floor has filled", () -> fills(limiter));
      int before = coordinator.requests().size();

      for (int i = 0; i < TENANTS; i++) {
        Decision decision = limiter.decide("shop", Descriptors.of("tenant", "t" + i), 1);
        assertThat(decision.allowed()).isTrue();
      }

      assertThat(limiter.keyCount()).isGreaterThanOrEqualTo(TENANTS / 2);
      assertThat(coordinator.requests().subList(before, coordinator.requests().size()))
          .allSatisfy(request -> assertThat(tenants(request)).isZero());
    }
  }

  private static boolean fills(RateLimiter limiter) {
    return limiter.hasQuotas()
        && limiter
                .decide("shop", Descriptors.of("tenant", "probe"), 0)
                .quotas()
                .get(0)
                .remainingMicros()
            >= 100_000_000;
  }

  private static long tenants(SyncRequest request) {
    return request.buckets().stream()
        .filter(report -> report.bucket().key().startsWith("tenant=t"))
        .count();
  }
}
