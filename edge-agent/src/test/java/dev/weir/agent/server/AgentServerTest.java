package dev.weir.agent.server;

import static dev.weir.agent.Agents.book;
import static dev.weir.agent.Agents.eventually;
import static dev.weir.agent.Agents.perTenant;
import static dev.weir.agent.Agents.settings;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.agent.Decision;
import dev.weir.agent.sync.SyncStatus;
import dev.weir.agent.testcoordinator.TestCoordinator;
import dev.weir.config.AgentSettings;
import dev.weir.config.Endpoint;
import dev.weir.config.SyncSettings;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Tokens;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole agent, asked as a gateway and an operator ask it. */
class AgentServerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final QuotaSpec API = perTenant("api", 1_000, 500);

  @TempDir Path temp;

  @Test
  void aRequestIsDecidedAndTheAgentSaysHowItStands() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 2)) {
      eventually("admitted", () -> status(server, "/v1/check?d.tenant=acme") == 200);

      JsonNode status = json(admin(server, "/v1/status"));
      assertThat(status.get("ready").asBoolean()).isTrue();
      assertThat(status.get("region").asText()).isEqualTo("eu-west");
      assertThat(status.get("cluster").asText()).isEqualTo("c1");
      assertThat(status.get("generation").asLong()).isEqualTo(1);
      assertThat(status.get("keys").asInt()).isEqualTo(1);
      eventually(
          "normal", () -> json(admin(server, "/readyz")).get("state").asText().equals("NORMAL"));
      assertThat(admin(server, "/healthz").body()).isEqualTo("ok\n");
    }
  }

  /** The second start knows its quotas from the folder, so its own requests are decided. */
  @Test
  void anAgentsOwnFirstRequestsAreDecidedThoughTheirDomainIsInNoQuotaFile() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API))) {
      AgentSettings settings = settings(temp, coordinator.address());
      try (AgentServer server = AgentServer.start(settings, 1)) {
        eventually("quotas", () -> server.limiter().hasQuotas());
      }
      try (AgentServer server = AgentServer.start(settings, 1)) {
        assertThat(admin(server, "/metrics").body().lines())
            .filteredOn(line -> line.startsWith("weir_decisions_total"))
            .filteredOn(line -> line.contains("outcome=\"error\""))
            .isNotEmpty()
            .allMatch(line -> line.endsWith(" 0.0"));
        assertThat(server.limiter().unmatched()).isEqualTo(2);
        assertThat(status(server, "/v1/check?domain=first-requests")).isEqualTo(400);
      }
    }
  }

  /** It has asked itself: whoever is first need not wait until the code is loaded. */
  @Test
  void whatAnAgentAsksItselfBeforeItIsReadyTakesNothingAndCountsForNoQuota() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 1)) {
      assertThat(admin(server, "/metrics").body().lines())
          .anyMatch(line -> line.startsWith("weir_decision_duration_seconds_count"))
          .filteredOn(line -> line.matches("weir_(keys_tracked|decisions_total).*"))
          .allMatch(line -> line.endsWith(" 0.0") || line.contains("quota=\"\""))
          .noneMatch(line -> line.contains("BAD_QUESTION") && !line.endsWith(" 0.0"));
    }
  }

  @Test
  void whatIsHeldIsShownByDemand() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 1)) {
      eventually("quotas", () -> server.limiter().hasQuotas());
      eventually(
          "a lease",
          () -> {
            int unused = status(server, "/v1/check?d.tenant=acme");
            JsonNode buckets = json(admin(server, "/v1/buckets?top=1")).get("buckets");
            return buckets.size() == 1 && buckets.get(0).get("leaseBurst").asDouble() > 0;
          });
      JsonNode bucket = json(admin(server, "/v1/buckets")).get("buckets").get(0);
      assertThat(bucket.get("quota").asText()).isEqualTo("shop/api");
      assertThat(bucket.get("key").asText()).isEqualTo("tenant=acme");
      assertThat(admin(server, "/v1/buckets?top=0").statusCode()).isEqualTo(400);
      assertThat(admin(server, "/v1/buckets?top=x").statusCode()).isEqualTo(400);
    }
  }

  @Test
  void decisionsAreCountedForPrometheus() throws Exception {
    QuotaSpec tiny = perTenant("tiny", 1, 2);
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(tiny));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 1)) {
      eventually("admitted", () -> status(server, "/v1/check?d.tenant=acme") == 200);
      eventually("refused", () -> status(server, "/v1/check?d.tenant=acme&cost=2") == 429);
      assertThat(status(server, "/v1/check?d.other=acme")).isEqualTo(200);

      String metrics = admin(server, "/metrics").body();

      assertThat(metrics)
          .contains("weir_decisions_total{domain=\"shop\",outcome=\"allowed\",quota=\"tiny\"")
          .contains("outcome=\"denied\"")
          .contains("reason=\"COST_TOO_LARGE\"")
          .contains("weir_units_total{domain=\"shop\"")
          .contains("weir_coordinator_reachable{region=\"eu-west\"} 1.0")
          .contains("weir_config_generation{region=\"eu-west\"} 1.0")
          .contains("weir_keys_tracked{region=\"eu-west\"} 1.0")
          .contains("weir_agent_mode{mode=\"normal\",region=\"eu-west\"} 1.0")
          .contains("weir_decision_duration_seconds_bucket{region=\"eu-west\",le=\"+Inf\"}")
          .doesNotContain("acme");
      assertThat(metrics.lines().filter(line -> !line.startsWith("#")))
          .as("every line is a sample")
          .allMatch(line -> line.matches("[a-z_]+(\\{.*\\})? [-+0-9.eEINaNf]+"));
    }
  }

  @Test
  void withoutACoordinatorItIsReadyAndSaysWhatIsMissing() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 1)) {
      eventually("quotas", () -> server.limiter().hasQuotas());
    }
    try (AgentServer server = AgentServer.start(settings(temp, "http://127.0.0.1:1"), 1)) {
      HttpResponse<String> refused = check(server, "/v1/check?d.tenant=acme");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(json(refused).get("weir-reason").asText()).isEqualTo("NO_LEASE");
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      eventually(
          "unreachable",
          () -> json(admin(server, "/readyz")).get("state").asText().equals("UNREACHABLE"));
      assertThat(admin(server, "/readyz").statusCode()).isEqualTo(200);
      assertThat(admin(server, "/metrics").body())
          .contains("weir_coordinator_reachable{region=\"eu-west\"} 0.0");
    }
  }

  @Test
  void aNewAgentWithoutACoordinatorHasNoVerdict() throws Exception {
    try (AgentServer server = AgentServer.start(settings(temp, "http://127.0.0.1:1"), 1)) {
      assertThat(status(server, "/v1/check?d.tenant=acme")).isEqualTo(503);
    }
  }

  /**
   * C34: 100 a minute and a burst of 100, 200 requests at once over 50 connections. Exactly what
   * one bucket makes is admitted: 100, if all are answered before it has made another token. Room
   * for the largest request is all of the burst here, so that the first lease brings every token.
   */
  @Test
  void twoHundredAtOnceOverFiftyConnectionsGetExactlyAHundred() throws Exception {
    QuotaSpec quota =
        QuotaSpec.leased(API.id(), API.match(), Rate.of(100, 60_000_000_000L), Tokens.micros(100))
            .withMaxCost(Tokens.micros(100))
            .withLease(noFloor());
    long made = Long.MAX_VALUE;
    for (int round = 0; round < 10 && made != 0; round++) {
      // The lease comes at once and with all there is; the next word is spoken ten seconds later.
      try (TestCoordinator coordinator = new TestCoordinator("c1", book(quota));
          AgentServer server =
              AgentServer.start(
                  withInterval(
                      settings(temp.resolve("agent-" + round), coordinator.address()),
                      10_000_000_000L),
                  2);
          Crowd crowd = new Crowd(50, server.port())) {
        eventually("quotas", () -> server.limiter().hasQuotas());
        assertThat(status(server, "/v1/check?d.tenant=acme")).as("no lease yet").isEqualTo(429);
        eventually("all of it", () -> left(server) == Tokens.micros(100));
        long startNanos = System.nanoTime();
        List<Integer> statuses = crowd.ask(4, "/v1/check?d.tenant=acme");
        made = quota.rate().minted(System.nanoTime() - startNanos) / Tokens.MICROS_PER_TOKEN;
        assertThat(statuses).hasSize(200).containsOnly(200, 429);
        long admitted = statuses.stream().filter(each -> each == 200).count();
        assertThat(admitted).isBetween(100L, 100 + made);
      }
    }
    assertThat(made).as("tokens made before the last answer").isZero();
  }

  private static long left(AgentServer server) {
    Decision look = server.limiter().decide("shop", Descriptors.of("tenant", "acme"), 0);
    return look.quotas().get(0).remainingMicros();
  }

  /** Ten keys, each sent twenty times at once over many connections and two event loops. */
  @Test
  void repeatsAtOnceAreChargedOnce() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 2)) {
      eventually("quotas", () -> server.limiter().hasQuotas());
      eventually(
          "tokens",
          () -> {
            HttpResponse<String> look = check(server, "/v1/check?d.tenant=acme&cost=0");
            return look.headers().firstValue("RateLimit").orElse("").matches(".*r=[2-9]\\d.*");
          });
      List<CompletableFuture<HttpResponse<Void>>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        answers.add(
            CLIENT.sendAsync(
                HttpRequest.newBuilder(uri(server.port(), "/v1/check?d.tenant=acme"))
                    .header("Idempotency-Key", "key-" + i % 10)
                    .build(),
                BodyHandlers.discarding()));
      }
      assertThat(answers).allMatch(each -> each.join().statusCode() == 200);
      assertThat(admin(server, "/metrics").body())
          .containsPattern("weir_lease_used_units_total\\{.*quota=\"api\".*} 10\\.0");
    }
  }

  // ------------------------------------------------------------------------------ trouble

  @Test
  void costsBeyondAllMeasureDoNotEndTheMetrics() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer server = AgentServer.start(settings(temp, coordinator.address()), 1)) {
      eventually("quotas", () -> server.limiter().hasQuotas());
      for (int i = 0; i < 3; i++) {
        assertThat(status(server, "/v1/check?d.tenant=acme&cost=" + Long.MAX_VALUE)).isEqualTo(429);
      }
      HttpResponse<String> metrics = admin(server, "/metrics");
      assertThat(metrics.statusCode()).isEqualTo(200);
      assertThat(metrics.body())
          .containsPattern("weir_units_total\\{.*outcome=\"denied\".*} 75\\.0");
    }
  }

  @Test
  void anAgentThatCannotServeDoesNotFenceOneThatDoes() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer first =
            AgentServer.start(settings(temp.resolve("a"), coordinator.address()), 1)) {
      eventually("admitted", () -> status(first, "/v1/check?d.tenant=acme") == 200);
      AgentSettings clash =
          withPort(settings(temp.resolve("b"), coordinator.address()), first.port());
      int asked = coordinator.requests().size();
      assertThatThrownBy(() -> AgentServer.start(clash, 1)).hasMessageContaining("cannot listen");
      assertThat(coordinator.requests().stream().skip(asked))
          .allMatch(request -> request.boot() == first.limiter().status().boot());
      assertThat(first.limiter().status().state()).isEqualTo(SyncStatus.State.NORMAL);
    }
  }

  @Test
  void withoutQuotasItIsNotReady() throws Exception {
    try (AgentServer server = AgentServer.start(settings(temp, "http://127.0.0.1:1"), 1)) {
      assertThat(admin(server, "/readyz").statusCode()).isEqualTo(503);
      assertThat(admin(server, "/healthz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aPortInUseIsSaidAndNothingStaysBehind() throws Exception {
    try (TestCoordinator coordinator = new TestCoordinator("c1", book(API));
        AgentServer first =
            AgentServer.start(settings(temp.resolve("a"), coordinator.address()), 1)) {
      AgentSettings clash =
          withPort(settings(temp.resolve("b"), coordinator.address()), first.port());
      assertThatThrownBy(() -> AgentServer.start(clash, 1))
          .hasMessageContaining("cannot listen on 127.0.0.1:" + first.port());
      AgentServer.start(settings(temp.resolve("b"), coordinator.address()), 1).close();
    }
  }

  @Test
  void aFolderThatCannotBeUsedIsSaid() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "");
    assertThatThrownBy(() -> AgentServer.start(settings(file, "http://127.0.0.1:1"), 1))
        .hasMessageContaining("data folder " + file + " cannot be used");
  }

  @Test
  void operatorsGet404And405() throws Exception {
    try (AgentServer server = AgentServer.start(settings(temp, "http://127.0.0.1:1"), 1)) {
      assertThat(admin(server, "/nothing").statusCode()).isEqualTo(404);
      HttpResponse<String> posted =
          CLIENT.send(
              HttpRequest.newBuilder(uri(server.adminPort(), "/v1/status"))
                  .POST(BodyPublishers.noBody())
                  .build(),
              BodyHandlers.ofString());
      assertThat(posted.statusCode()).isEqualTo(405);
      assertThat(posted.headers().firstValue("Allow")).hasValue("GET, HEAD");
      assertThat(posted.headers().firstValue("Content-Type")).hasValue("application/problem+json");
      assertThat(check(server, "/metrics").statusCode()).as("not on this port").isEqualTo(404);
    }
  }

  @Test
  void whatOperatorsCannotMeanIsAProblemThatNamesIt() throws Exception {
    try (AgentServer server = AgentServer.start(settings(temp, "http://127.0.0.1:1"), 1)) {
      int port = server.adminPort();
      assertThat(raw(port, "GET /v1/buckets?top=%zz"))
          .startsWith("HTTP/1.1 400 ")
          .contains("application/problem+json", "top has a % that two hexadecimal digits");
      assertThat(raw(port, "GET /v1/buckets?top=-4"))
          .startsWith("HTTP/1.1 400 ")
          .contains("application/problem+json", "top must be a number in [1, 10000]");
      assertThat(raw(port, "GET /v1/buckets?limit=4"))
          .contains("unknown parameter \\\"limit\\\"; there is only top");
      assertThat(raw(port, "GET /v1/buckets?top=4&top=5")).contains("top is given twice");
      assertThat(raw(port, "GET /v1/status?verbose=1")).contains("this path has none");
      assertThat(raw(port, "GET /healthz?nocache=1")).startsWith("HTTP/1.1 200 ");
      assertThat(raw(port, "GET /nothing%zz"))
          .startsWith("HTTP/1.1 404 ")
          .contains("application/problem+json");
    }
  }

  @Test
  void whatIsNoHttpIsAProblemOnBothPorts() throws Exception {
    String much = "a".repeat(70_000);
    try (AgentServer server = AgentServer.start(settings(temp, "http://127.0.0.1:1"), 1)) {
      for (int port : new int[] {server.port(), server.adminPort()}) {
        assertThat(raw(port, "GET /v1/check?d.tenant=" + much))
            .contains(" 414 ", "application/problem+json", "at most 65536 bytes");
        assertThat(raw(port, "GET /v1/check HTTP/1.1\r\nX-Much: " + much))
            .contains(" 431 ", "application/problem+json", "at most 65536 bytes");
        assertThat(raw(port, "POST /v1/check HTTP/1.1\r\nContent-Length: abc"))
            .contains(" 400 ", "application/problem+json", "This is not HTTP: ");
      }
    }
  }

  /** A domain in the address would not be that of any question in the body. */
  @Test
  void decisionsTakeNoParameters() throws Exception {
    try (AgentServer server = AgentServer.start(settings(temp, "http://127.0.0.1:1"), 1)) {
      assertThat(raw(server.port(), "POST /v1/decisions?domain=shop"))
          .startsWith("HTTP/1.1 400 ")
          .contains("unknown parameter", "what is asked stands in the body");
    }
  }

  @Test
  void aMethodThatMeansNothingIsAnsweredWithThoseThatDo() throws Exception {
    try (AgentServer server = AgentServer.start(settings(temp, "http://127.0.0.1:1"), 1)) {
      assertThat(raw(server.port(), "DELETE /v1/check"))
          .startsWith("HTTP/1.1 405 ")
          .containsIgnoringCase("\r\nallow: GET, HEAD, POST\r\n");
      assertThat(raw(server.port(), "GET /v1/decisions"))
          .startsWith("HTTP/1.1 405 ")
          .containsIgnoringCase("\r\nallow: POST\r\n");
    }
  }

  // ------------------------------------------------------------------------------ helpers

  /** Sends what no decent client would, and returns all that is answered. */
  private static String raw(int port, String request) throws IOException {
    String line = request.contains(" HTTP/1.1") ? request : request + " HTTP/1.1";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write((line + "\r\nHost: a\r\nConnection: close\r\n\r\n").getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private static LeaseTerms noFloor() {
    LeaseTerms terms = LeaseTerms.DEFAULT;
    return new LeaseTerms(
        terms.ttlNanos(), 0, false, terms.floorTtlNanos(), terms.lendTtlNanos(), 0);
  }

  private static AgentSettings withPort(AgentSettings settings, int port) {
    return with(settings, new Endpoint("127.0.0.1", port), settings.sync());
  }

  private static AgentSettings withInterval(AgentSettings settings, long intervalNanos) {
    SyncSettings seldom = new SyncSettings(intervalNanos, settings.sync().timeoutNanos());
    return with(settings, settings.http(), seldom);
  }

  private static AgentSettings with(AgentSettings settings, Endpoint http, SyncSettings sync) {
    return new AgentSettings(
        settings.region(),
        settings.coordinators(),
        http,
        settings.grpc(),
        settings.admin(),
        settings.redis(),
        settings.data(),
        sync,
        settings.clock(),
        settings.auditFile(),
        settings.trustedProxies(),
        settings.keysMax());
  }

  private static int status(AgentServer server, String path) {
    return check(server, path).statusCode();
  }

  private static HttpResponse<String> check(AgentServer server, String path) {
    return get(server.port(), path);
  }

  private static HttpResponse<String> admin(AgentServer server, String path) {
    return get(server.adminPort(), path);
  }

  private static HttpResponse<String> get(int port, String path) {
    return CLIENT
        .sendAsync(HttpRequest.newBuilder(uri(port, path)).build(), BodyHandlers.ofString())
        .join();
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static JsonNode json(HttpResponse<String> response) {
    try {
      return JSON.readTree(response.body());
    } catch (JsonProcessingException e) {
      throw new AssertionError(response.body(), e);
    }
  }
}
