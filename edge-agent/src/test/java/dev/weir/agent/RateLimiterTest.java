package dev.weir.agent;

import static dev.weir.agent.Agents.book;
import static dev.weir.agent.Agents.eventually;
import static dev.weir.agent.Agents.perTenant;
import static dev.weir.agent.Agents.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.agent.folder.DataFolder;
import dev.weir.agent.sync.SyncStatus;
import dev.weir.agent.testcoordinator.TestCoordinator;
import dev.weir.core.message.QuotaUse;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent and a coordinator, over real sockets. */
class RateLimiterTest {
  private static final Descriptors ACME = Descriptors.of("tenant", "acme");
  private static final QuotaSpec API = perTenant("api", 1_000, 500);

  @TempDir Path temp;

  @Test
  void anAgentLearnsItsQuotasAndAdmits() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
      eventually("quotas", limiter::hasQuotas);
      assertThat(limiter.quotas()).isEqualTo(book(API));

      Decision decision = limiter.decide("shop", ACME, 1);
      while (!decision.allowed()) {
        decision = limiter.decide("shop", ACME, 1);
      }

      eventually("normal", () -> limiter.status().state() == SyncStatus.State.NORMAL);
      assertThat(decision.reason()).isEqualTo(Reason.OK);
      assertThat(decision.quotas()).singleElement().extracting(Verdict::quota).isEqualTo(API);
    }
  }

  @Test
  void demandBeyondTheFloorBringsALease() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
      eventually("quotas", limiter::hasQuotas);
      eventually(
          "a lease",
          () -> {
            limiter.decide("shop", ACME, 1);
            return limiter.holdings().join().stream().anyMatch(held -> !held.lease().isZero());
          });
      assertThat(coordinator.accountedBurstMicros(new BucketId(API.id(), "tenant=acme")))
          .isPositive();
    }
  }

  @Test
  void whatAnAgentHoldsIsGivenBackWhenItCloses() throws Exception {
    BucketId bucket = new BucketId(API.id(), "tenant=acme");
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API))) {
      try (RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
        eventually("quotas", limiter::hasQuotas);
        eventually(
            "a lease",
            () -> {
              limiter.decide("shop", ACME, 1);
              return coordinator.accountedBurstMicros(bucket) > 0;
            });
      }
      assertThat(coordinator.accountedBurstMicros(bucket)).isZero();
      List<SyncRequest> requests = coordinator.requests();
      assertThat(requests.get(requests.size() - 1).leaving()).isTrue();
    }
  }

  @Test
  void afterItsEndAnAgentAdmitsNothing() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API))) {
      RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()));
      eventually("quotas", limiter::hasQuotas);
      eventually("admitted", () -> limiter.decide("shop", ACME, 1).allowed());
      limiter.close();
      assertThat(limiter.decide("shop", ACME, 1).allowed()).isFalse();
      assertThat(limiter.decide("shop", Descriptors.of("tenant", "new"), 1).allowed()).isFalse();
      assertThat(limiter.status().state()).isEqualTo(SyncStatus.State.LEFT);
      limiter.close();
    }
  }

  @Test
  void theCoordinatorHearsWhatWasAdmitted() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API))) {
      long admitted = 1;
      try (RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
        eventually("quotas", limiter::hasQuotas);
        eventually("the first", () -> limiter.decide("shop", ACME, 1).allowed());
        for (int i = 0; i < 10_000; i++) {
          admitted += limiter.decide("shop", ACME, 1).allowed() ? 1 : 0;
        }
      }
      List<QuotaUse> uses =
          coordinator.requests().stream().flatMap(request -> request.uses().stream()).toList();
      assertThat(uses.get(uses.size() - 1))
          .isEqualTo(new QuotaUse(API.id(), Tokens.micros(admitted), 0));
    }
  }

  // ------------------------------------------------------------------------------ no coordinator

  @Test
  void withNoCoordinatorAndNothingStoredThereIsNoVerdict() throws Exception {
    try (RateLimiter limiter = RateLimiter.start(settings(temp, "http://127.0.0.1:1"))) {
      assertThat(limiter.hasQuotas()).isFalse();
      assertThatThrownBy(() -> limiter.decide("shop", ACME, 1))
          .isInstanceOf(IllegalStateException.class);
      eventually("unreachable", () -> limiter.status().state() == SyncStatus.State.UNREACHABLE);
      assertThat(limiter.status().detail())
          .contains("http://127.0.0.1:1")
          .contains("no connection");
    }
  }

  /** S8: on nothing but what a floor allows, and a floor is always given by an answer. */
  @Test
  void aRestartedAgentAnswersFromTheStoredQuotasWithEmptyBuckets() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
      eventually(
          "admitted", () -> limiter.hasQuotas() && limiter.decide("shop", ACME, 1).allowed());
    }
    try (RateLimiter limiter = RateLimiter.start(settings(temp, "http://127.0.0.1:1"))) {
      assertThat(limiter.quotas()).isEqualTo(book(API));
      Decision decision = limiter.decide("shop", ACME, 1);
      assertThat(decision.allowed()).isFalse();
      assertThat(decision.reason()).isEqualTo(Reason.NO_LEASE);
      assertThat(decision.retryAfterNanos()).isBetween(1L, Decision.NEVER - 1);
      eventually("unreachable", () -> limiter.status().state() == SyncStatus.State.UNREACHABLE);
      assertThat(limiter.decideLater("shop", ACME, 1).toCompletableFuture())
          .as("nobody waits for a coordinator that is not there")
          .isDone();
    }
  }

  @Test
  void storedQuotasThatCannotBeReadAreAsGoodAsNone() throws Exception {
    Files.createDirectories(temp.resolve("data"));
    Files.writeString(temp.resolve("data").resolve("quotas.json"), "{\"generation\":");
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter limiter =
            RateLimiter.start(settings(temp.resolve("data"), coordinator.address()))) {
      eventually("quotas", limiter::hasQuotas);
    }
  }

  /** C7. */
  @Test
  void anAgentReturnsByItselfWithinSecondsOfTheCoordinatorsReturn() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
      eventually("normal", () -> limiter.status().state() == SyncStatus.State.NORMAL);
      coordinator.stop();
      eventually("failures", () -> limiter.status().failures() >= 6);
      coordinator.startAgain();
      long startNanos = System.nanoTime();
      eventually("normal", () -> limiter.status().state() == SyncStatus.State.NORMAL);
      assertThat(System.nanoTime() - startNanos).isLessThan(TimeUnit.SECONDS.toNanos(4));
      eventually("admitted", () -> limiter.decide("shop", ACME, 1).allowed());
    }
  }

  @Test
  void theNextCoordinatorOfTheListIsTriedAtOnce() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter limiter =
            RateLimiter.start(
                settings(
                    temp, "http://127.0.0.1:1", "http://127.0.0.1:2", coordinator.address()))) {
      eventually("normal", () -> limiter.status().state() == SyncStatus.State.NORMAL);
      assertThat(limiter.status().coordinator()).isEqualTo(coordinator.address());
    }
  }

  @Test
  void anAgentKeepsToOneCluster() throws Exception {
    try (TestCoordinator first = new TestCoordinator("c1", book(API));
        TestCoordinator second = new TestCoordinator("c2", book());
        RateLimiter limiter =
            RateLimiter.start(settings(temp, first.address(), second.address()))) {
      eventually("normal", () -> limiter.status().state() == SyncStatus.State.NORMAL);
      first.stop();
      eventually("asked the other", () -> !second.requests().isEmpty());
      eventually("still failing", () -> limiter.status().failures() >= 4);
      assertThat(limiter.quotas()).isEqualTo(book(API));
      assertThat(limiter.status().state()).isEqualTo(SyncStatus.State.UNREACHABLE);
      first.startAgain();
      eventually("normal", () -> limiter.status().state() == SyncStatus.State.NORMAL);
      assertThat(limiter.status().cluster()).isEqualTo("c1");
    }
  }

  // ------------------------------------------------------------------------------ identity

  @Test
  void aRegionThatIsNotConfiguredIsSaidWithWhatToDo() throws Exception {
    QuotaBook elsewhere =
        new QuotaBook(
            1,
            Map.of("shop", new DomainBook("shop", List.of(new Region("mars", 1)), List.of(API))));
    try (TestCoordinator coordinator = new TestCoordinator("c1", elsewhere);
        RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
      eventually("said", () -> limiter.status().state() == SyncStatus.State.UNKNOWN_REGION);
      assertThat(limiter.status().detail()).contains("eu-west").contains("regions:");
    }
  }

  /** Its clock was set back and its folder lost, for instance: it is the only one alive. */
  @Test
  void aNewcomerWithTooSmallANumberStartsAboveTheOneItIsTold() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API))) {
      long far = System.currentTimeMillis() + 1_000_000_000L;
      try (var folder = DataFolder.open(temp.resolve("ahead"))) {
        folder.nextBoot(far - 1, 0);
      }
      try (RateLimiter ahead =
          RateLimiter.start(settings(temp.resolve("ahead"), coordinator.address()))) {
        eventually("normal", () -> ahead.status().state() == SyncStatus.State.NORMAL);
        assertThat(ahead.status().boot()).isEqualTo(far);
      }
      try (RateLimiter late =
          RateLimiter.start(settings(temp.resolve("late"), coordinator.address()))) {
        eventually("normal", () -> late.status().state() == SyncStatus.State.NORMAL);
        assertThat(late.status().boot()).isEqualTo(far + 1);
      }
    }
  }

  @Test
  void anAgentThatWasReplacedAdmitsNothing() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter old = RateLimiter.start(settings(temp.resolve("old"), coordinator.address()))) {
      eventually("admitted", () -> old.hasQuotas() && old.decide("shop", ACME, 1).allowed());
      try (RateLimiter next =
          RateLimiter.start(settings(temp.resolve("next"), coordinator.address()))) {
        eventually("fenced", () -> old.status().state() == SyncStatus.State.FENCED);
        Decision decision = old.decide("shop", ACME, 1);
        assertThat(decision.allowed()).isFalse();
        assertThat(decision.reason()).isEqualTo(Reason.FENCED);
        assertThat(next.status().state()).isNotEqualTo(SyncStatus.State.FENCED);
      }
    }
  }

  @Test
  void aFolderServesOneAgentAtATime() throws Exception {
    try (RateLimiter limiter = RateLimiter.start(settings(temp, "http://127.0.0.1:1"))) {
      assertThat(limiter.status().boot()).isPositive();
      assertThatThrownBy(() -> RateLimiter.start(settings(temp, "http://127.0.0.1:1")))
          .hasMessageContaining("in use by another process");
    }
  }

  // ------------------------------------------------------------------------------ decisions

  @Test
  void aFirstRequestWaitsForItsFirstLease() throws Exception {
    // Two tokens of burst are too few to give a region a floor.
    QuotaSpec tiny = perTenant("tiny", 100, 2).withLease(noFloor());
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(tiny));
        RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
      eventually("normal", () -> limiter.status().state() == SyncStatus.State.NORMAL);
      assertThat(limiter.decide("shop", Descriptors.of("tenant", "a"), 1).reason())
          .isEqualTo(Reason.NO_LEASE);

      Decision decision =
          limiter.decideLater("shop", ACME, 1).toCompletableFuture().get(10, TimeUnit.SECONDS);

      assertThat(decision.allowed()).as(decision.toString()).isTrue();
    }
  }

  /** C14. */
  @Test
  void aCostAboveWhatOneRequestMayHaveIsRefusedForGood() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
      eventually("quotas", limiter::hasQuotas);
      for (long cost : new long[] {26, 1_000, Long.MAX_VALUE}) {
        Decision decision = limiter.decide("shop", ACME, cost);
        assertThat(decision.allowed()).isFalse();
        assertThat(decision.reason()).isEqualTo(Reason.COST_TOO_LARGE);
        assertThat(decision.retryAfterNanos()).isEqualTo(Decision.NEVER);
      }
    }
  }

  /** C13, also as the first request of a new key. */
  @Test
  void aNegativeCostIsAnErrorAndChangesNothing() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
      eventually(
          "admitted", () -> limiter.hasQuotas() && limiter.decide("shop", ACME, 1).allowed());
      int keys = limiter.keyCount();
      for (Descriptors who : List.of(ACME, Descriptors.of("tenant", "new"))) {
        assertThatThrownBy(() -> limiter.decide("shop", who, -1_000))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThat(limiter.keyCount()).isEqualTo(keys);
    }
  }

  @Test
  void whatNoQuotaMatchesIsAllowed() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter limiter = RateLimiter.start(settings(temp, coordinator.address()))) {
      eventually("quotas", limiter::hasQuotas);
      assertThat(limiter.decide("shop", Descriptors.of("user", "x"), 1))
          .isEqualTo(new Decision(true, Reason.OK, 0, List.of()));
      assertThat(limiter.decide("elsewhere", ACME, 1).allowed()).isTrue();
      assertThat(limiter.unmatched()).isEqualTo(2);
    }
  }

  @Test
  void anAuditNamesEveryAdmittedDecision() throws Exception {
    Path audit = temp.resolve("audit.csv");
    long admitted = 0;
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        RateLimiter limiter =
            RateLimiter.start(settings(temp, audit, 1_000, coordinator.address()))) {
      eventually(
          "admitted", () -> limiter.hasQuotas() && limiter.decide("shop", ACME, 2).allowed());
      admitted = Objects.requireNonNull(limiter.counters().get(API.id())).allowed(Reason.OK);
    }
    assertThat(Files.readAllLines(audit))
        .hasSize(Math.toIntExact(admitted))
        .allMatch(line -> line.matches("-?\\d+,shop/api,tenant=acme,2000000"));
  }

  private static LeaseTerms noFloor() {
    LeaseTerms terms = LeaseTerms.DEFAULT;
    return new LeaseTerms(
        terms.ttlNanos(), 0, false, terms.floorTtlNanos(), terms.lendTtlNanos(), 5_000_000_000L);
  }
}
