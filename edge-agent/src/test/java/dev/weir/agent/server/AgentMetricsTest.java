package dev.weir.agent.server;

import static dev.weir.agent.Agents.book;
import static dev.weir.agent.Agents.eventually;
import static dev.weir.agent.Agents.perTenant;
import static dev.weir.agent.Agents.settings;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.agent.testcoordinator.TestCoordinator;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Tokens;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus reads of a whole agent. */
class AgentMetricsTest {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final QuotaSpec API = perTenant("api", 1_000, 500);

  @TempDir Path temp;

  @Test
  void whatIsLeasedAndAskedForIsShownByQuota() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 1)) {
      eventually("quotas", () -> server.limiter().hasQuotas());
      eventually(
          "a lease",
          () -> {
            ask(server, "d.tenant=acme");
            ask(server, "d.tenant=other");
            return sample(server, "weir_lease_granted_units_per_second", "quota=\"api\"") > 0;
          });
      eventually(
          "demand is measured",
          () -> {
            ask(server, "d.tenant=acme");
            return sample(server, "weir_lease_wanted_units_per_second", "quota=\"api\"") > 0;
          });
      assertThat(sample(server, "weir_lease_remaining_seconds", "quota=\"api\""))
          .isPositive()
          .isLessThanOrEqualTo(10);
      assertThat(sample(server, "weir_lease_granted_units_per_second", "region=\"eu-west\""))
          .isLessThanOrEqualTo(2_000);
      assertThat(sample(server, "weir_lease_used_units_total", "quota=\"api\""))
          .isPositive()
          .isEqualTo(sample(server, "weir_units_total", "outcome=\"allowed\""));
    }
  }

  @Test
  void aRequestThatLeavesLessThanAFifthIsNearTheLimit() throws Exception {
    // Whoever asks gets all there is: a floor of the whole bucket would need no lease.
    QuotaSpec slow =
        QuotaSpec.leased(API.id(), API.match(), Rate.of(1, 3_600_000_000_000L), Tokens.micros(2))
            .withMaxCost(Tokens.micros(1));
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(slow));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 1)) {
      eventually("quotas", () -> server.limiter().hasQuotas());
      eventually("the last one", () -> !ask(server, "d.tenant=acme") && near(server) > 0);
      double near = near(server);
      assertThat(ask(server, "d.tenant=acme&cost=0")).isTrue();
      assertThat(ask(server, "d.tenant=acme")).isFalse();
      assertThat(near(server)).as("neither looks nor refusals").isEqualTo(near);
    }
  }

  private static double near(AgentServer server) {
    return sample(server, "weir_near_limit_total", "quota=\"api\"");
  }

  @Test
  void requestsToTheCoordinatorAreCountedByWhatBecameOfThem() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 1)) {
      eventually("answers", () -> refreshes(server, "ok") > 2);
      assertThat(sample(server, "weir_agent_mode", "mode=\"normal\"")).isEqualTo(1);
      assertThat(sample(server, "weir_agent_mode", "mode=\"degraded\"")).isZero();
      assertThat(sample(server, "weir_agent_mode", "mode=\"draining\"")).isZero();
      double answered = sample(server, "weir_lease_refresh_duration_seconds_count", "");
      assertThat(answered).isGreaterThan(2);
      assertThat(sample(server, "weir_lease_refresh_duration_seconds_bucket", "le=\"+Inf\""))
          .isGreaterThanOrEqualTo(answered);
      assertThat(refreshes(server, "failed")).isZero();

      coordinator.stop();

      eventually("failures", () -> refreshes(server, "failed") > 0);
      eventually("degraded", () -> sample(server, "weir_agent_mode", "mode=\"degraded\"") == 1);
      assertThat(sample(server, "weir_agent_mode", "mode=\"normal\"")).isZero();
      assertThat(sample(server, "weir_agent_state", "state=\"unreachable\"")).isEqualTo(1);
    }
  }

  private static double refreshes(AgentServer server, String result) {
    return sample(server, "weir_lease_refresh_total", "result=\"" + result + "\"");
  }

  @Test
  void drainingIsAModeOfItsOwn() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 1)) {
      eventually("quotas", () -> server.limiter().hasQuotas());
      coordinator.drain("eu-west", true);
      eventually("draining", () -> sample(server, "weir_agent_mode", "mode=\"draining\"") == 1);
    }
  }

  @Test
  void aQuestionWithoutAVerdictIsAnError() throws Exception {
    try (AgentServer server = AgentServer.start(settings(temp, "http://127.0.0.1:1"), 1)) {
      // Its own first requests met no quotas either.
      double before = errors(server, "NO_QUOTAS");
      ask(server, "tennant=acme");
      ask(server, "d.tenant=acme");
      ask(server, "d.tenant=acme");
      assertThat(errors(server, "BAD_QUESTION")).isEqualTo(1);
      assertThat(errors(server, "NO_QUOTAS")).isEqualTo(before + 2);
      assertThat(errors(server, "INTERNAL")).isZero();
    }
  }

  private static double errors(AgentServer server, String reason) {
    return sample(
        server, "weir_decisions_total", "outcome=\"error\",quota=\"\",reason=\"" + reason + "\"");
  }

  @Test
  void whatAFallbackLetsPassIsNotUseOfALease() throws Exception {
    LeaseTerms terms = LeaseTerms.DEFAULT;
    QuotaSpec open =
        new QuotaSpec(
            API.id(),
            API.match(),
            API.rate(),
            API.burstMicros(),
            API.maxCostMicros(),
            API.enforcement(),
            API.mode(),
            new LeaseTerms(
                LeaseTerms.TTL_NANOS_MIN,
                terms.floorPpm(),
                terms.lend(),
                terms.floorTtlNanos(),
                terms.lendTtlNanos(),
                terms.firstLeaseWaitNanos()),
            Fallback.ALLOW,
            API.onFloorExpiry(),
            API.onLostLedger(),
            API.algorithm(),
            API.onStoreLoss());
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(open));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 1)) {
      eventually("quotas", () -> server.limiter().hasQuotas());
    }
    try (AgentServer server = AgentServer.start(settings(temp, "http://127.0.0.1:1"), 1)) {
      eventually("cut off", () -> ask(server, "d.tenant=acme"));
      assertThat(sample(server, "weir_units_total", "outcome=\"allowed\"")).isEqualTo(1);
      assertThat(sample(server, "weir_lease_used_units_total", "quota=\"api\"")).isZero();
      assertThat(sample(server, "weir_decisions_total", "source=\"fallback\"")).isEqualTo(1);
    }
  }

  // ------------------------------------------------------------------------------ helpers

  private static boolean ask(AgentServer server, String query) {
    return get(server.port(), "/v1/check?" + query).statusCode() == 200;
  }

  /** The first sample of that name with these labels; 0 where there is none. */
  private static double sample(AgentServer server, String name, String labels) {
    String text = get(server.adminPort(), "/metrics").body();
    OptionalDouble value =
        Arrays.stream(text.split("\n"))
            .filter(line -> line.startsWith(name + "{") && line.contains(labels))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .findFirst();
    return value.orElse(0);
  }

  private static HttpResponse<String> get(int port, String path) {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return CLIENT.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).join();
  }
}
