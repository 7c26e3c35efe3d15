package dev.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.coordinator.state.StartWord;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import dev.weir.protocol.Wire;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CoordinatorApiTest {
  private static final String QUOTA = "{\"match\":[{\"key\":\"user\"}],\"limit\":\"5/s\"}";

  private Coordinator coordinator;
  private Http http;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    coordinator = new Site(folder).start(new StartWord.FirstStart());
    http = new Http("http://" + coordinator.http());
  }

  @AfterAll
  void stop() {
    coordinator.close();
  }

  @Test
  void aQuotaIsMadeGuardedByItsTagAndRemoved() throws Exception {
    String path = "/v1/domains/shop/quotas/mine";
    Http.Answer made = http.put(path, QUOTA, "If-None-Match", "*");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.json().path("added").path(0).asText()).isEqualTo("shop/mine");

    Http.Answer read = http.get(path);
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.etag()).isEqualTo(made.etag());
    assertThat(read.json().path("limit").asText()).isEqualTo("5/s");

    Http.Answer there = http.put(path, QUOTA, "If-None-Match", "*");
    assertThat(there.status()).isEqualTo(412);
    assertThat(there.json().path("detail").asText())
        .contains("ask without If-None-Match, or with If-Match: " + read.etag());
    Http.Answer stale = http.put(path, QUOTA.replace("5/s", "6/s"), "If-Match", "\"999999\"");
    assertThat(stale.status()).isEqualTo(412);
    assertThat(stale.type()).isEqualTo("application/problem+json");
    assertThat(stale.json().path("detail").asText())
        .contains("get it again and repeat the change with If-Match: " + read.etag());
    assertThat(http.get(path).text()).isEqualTo(read.text());

    Http.Answer changed = http.put(path, QUOTA.replace("5/s", "6/s"), "If-Match", read.etag());
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.json().path("changed").path(0).asText()).isEqualTo("shop/mine");
    assertThat(http.delete(path, "If-Match", read.etag()).status()).isEqualTo(412);
    assertThat(http.delete(path, "If-Match", changed.etag()).status()).isEqualTo(200);
    assertThat(http.get(path).status()).isEqualTo(404);
    assertThat(http.delete(path).status()).isEqualTo(404);
  }

  @Test
  void whatComesFromAFileIsChangedThere() throws Exception {
    Http.Answer refused = http.put("/v1/domains/shop/quotas/public-api", QUOTA);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().path("detail").asText()).contains("shop.yaml:6");
    assertThat(http.delete("/v1/domains/shop/quotas/public-api").status()).isEqualTo(409);
    Http.Answer there = http.put("/v1/domains/shop/quotas/public-api", QUOTA, "If-None-Match", "*");
    assertThat(there.status()).isEqualTo(412);
    assertThat(there.json().path("detail").asText())
        .contains("shop.yaml:6")
        .contains("change it there");
  }

  @Test
  void aDryRunShowsTheDifferenceAndChangesNothing() throws Exception {
    String before = http.get("/v1/domains/shop/quotas").text();
    Http.Answer put = http.put("/v1/domains/shop/quotas/dry?dryRun=true", QUOTA);
    assertThat(put.status()).isEqualTo(200);
    assertThat(put.json().path("added").path(0).asText()).isEqualTo("shop/dry");
    Http.Answer validated =
        http.post("/v1/config/validate", "domain: bank\nregions: {eu: {}}\nquotas: []\n");
    assertThat(validated.json().path("regions").path(0).asText()).isEqualTo("bank/eu");
    assertThat(http.get("/v1/domains/shop/quotas").text()).isEqualTo(before);
    assertThat(http.get("/v1/domains/bank/quotas").status()).isEqualTo(404);
  }

  @Test
  void aWholeFileIsAppliedOrNothingOfIt() throws Exception {
    String good =
        """
        domain: depot
        regions: {eu-west: {}}
        quotas:
          - {name: one, match: [{key: a}], limit: 1/s}
        """;
    Http.Answer applied = http.post("/v1/config/apply?file=depot.yaml", good);
    assertThat(applied.status()).isEqualTo(200);
    assertThat(applied.json().path("added").size()).isEqualTo(1);

    Http.Answer refused =
        http.post(
            "/v1/config/apply?file=depot.yaml",
            good + "  - {name: two, match: [{key: a}], limt: 1/s}\n");
    assertThat(refused.status()).isEqualTo(422);
    JsonNode problems = refused.json().path("problems");
    assertThat(problems.findValuesAsText("file")).containsOnly("depot.yaml");
    assertThat(problems.findValuesAsText("line")).contains("5");
    assertThat(refused.json().path("detail").asText()).contains("limt");
    assertThat(http.get("/v1/domains/depot/quotas").json().path("quotas").size()).isEqualTo(1);
    assertThat(http.post("/v1/config/apply", good).json().path("generation"))
        .as("the same again is no change")
        .isEqualTo(applied.json().path("generation"));
  }

  @Test
  void aFileCutOffBeforeItsQuotasIsRefusedAndRemovesNothing() throws Exception {
    String whole = "domain: kiosk\nregions: {eu: {}}\n";
    String quotas = "quotas:\n  - {name: one, match: [{key: a}], limit: 1/s}\n";
    assertThat(http.post("/v1/config/apply", whole + quotas).status()).isEqualTo(200);
    for (String path : new String[] {"/v1/config/apply", "/v1/config/validate"}) {
      Http.Answer refused = http.post(path, whole);
      assertThat(refused.status()).isEqualTo(422);
      assertThat(refused.json().path("detail").asText()).contains("`quotas: []` means none");
    }
    assertThat(http.get("/v1/domains/kiosk/quotas/one").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "text/plain",
        "no type at all"
      })
  void aBodyIsReadWhateverItsContentTypeSays(String type) throws Exception {
    String file =
        "domain: typed\nregions: {eu: {}}\nquotas:\n"
            + "  - {name: one, match: [{key: a, value: \"50%&b=+\"}], limit: 1/s,"
            + " lease: {floor: 10%}}\n";
    Http.Answer validated = http.post("/v1/config/validate", file, type);
    assertThat(validated.status()).as(validated.text()).isEqualTo(200);
    assertThat(validated.json().path("added").path(0).asText()).isEqualTo("typed/one");
    Http.Answer put =
        http.put(
            "/v1/domains/shop/quotas/typed?dryRun=true",
            "{\"match\":[{\"key\":\"a\",\"value\":\"%\"}],\"limit\":\"5/s\"}",
            "Content-Type",
            type);
    assertThat(put.status()).as(put.text()).isEqualTo(200);
    Http.Answer sync = http.post("/v1/sync", "{\"r\":\"mars\",\"b\":1,\"s\":1}", type);
    assertThat(sync.status()).isEqualTo(200);
  }

  @Test
  void aBodyThatDoesNotSayItsLengthIsRefusedTooWhereItIsTooLong() throws Exception {
    HttpRequest chunked =
        HttpRequest.newBuilder(http.uri("/v1/config/validate"))
            .POST(
                BodyPublishers.ofInputStream(
                    () -> new ByteArrayInputStream(new byte[Wire.REQUEST_BYTES_MAX + 1])))
            .build();
    assertThat(Http.client().send(chunked, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
  }

  @Test
  void aBodyIsAskedForWhereTheClientWaitsForThat() throws Exception {
    HttpRequest waiting =
        HttpRequest.newBuilder(http.uri("/v1/config/validate"))
            .expectContinue(true)
            .POST(BodyPublishers.ofString("domain: bank\nquotas: []\n"))
            .build();
    assertThat(Http.client().send(waiting, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  @Test
  void applyingWhatStandsInAFileSaysInWhich() throws Exception {
    String file = "domain: shop\nquotas:\n  - {name: public-api, match: [{key: a}], limit: 1/s}\n";
    for (String path : new String[] {"/v1/config/apply", "/v1/config/validate"}) {
      Http.Answer refused = http.post(path, file);
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.json().path("detail").asText())
          .contains("shop/public-api (")
          .contains("shop.yaml:6");
    }
  }

  @Test
  void boundsAreShownWithWhatAChangeMayAdd() throws Exception {
    String path = "/v1/domains/shop/quotas/bounded";
    http.put(path, "{\"match\":[{\"key\":\"b\"}],\"limit\":\"100/s\",\"burst\":100}");
    JsonNode before = http.get(path + "/bound").json();
    assertThat(before.path("rate").asInt()).isEqualTo(100);
    assertThat(before.path("burst").asInt()).isEqualTo(100);
    assertThat(before.path("terms").findValuesAsText("cause")).doesNotContain("quota-lowered");
    http.put(path, "{\"match\":[{\"key\":\"b\"}],\"limit\":\"10/s\",\"burst\":10}");
    JsonNode after = http.get(path + "/bound").json();
    assertThat(after.path("terms").findValuesAsText("cause")).contains("quota-lowered");
    http.delete(path);
  }

  @Test
  void leasesShowWhoHoldsWhat() throws Exception {
    BucketId bucket = new BucketId(new QuotaId("shop", "public-api"), "");
    TestAgent agent = new TestAgent("eu-west", bucket, 1_000_000_000L);
    assertThat(agent.ask(http)).isPositive();
    agent.ask(http);
    JsonNode leases = http.get("/v1/domains/shop/quotas/public-api/leases").json();
    JsonNode first = leases.path("agents").path(0);
    assertThat(first.path("region").asText()).isEqualTo("eu-west");
    assertThat(first.path("held").path("tokensPerSecond").asDouble()).isPositive();
    assertThat(http.get("/v1/domains/shop/quotas/daily/leases").json().path("ledgers").asInt())
        .isZero();
    assertThat(http.get("/v1/domains/shop/quotas/daily/leases?key=tenant%3Dacme").status())
        .isEqualTo(200);
    assertThat(http.get("/v1/domains/shop/quotas/daily/leases?key=nonsense").status())
        .isEqualTo(400);
    assertThat(http.get("/metrics").text())
        .contains("weir_leased_units_per_second{domain=\"shop\",quota=\"public-api\"")
        .contains("weir_agents{state=\"alive\"} ");
    assertThat(http.get("/v1/agents").json().path("agents").findValuesAsText("region"))
        .contains("eu-west");
  }

  /** It would be shown as a bucket that nobody has touched. */
  @ParameterizedTest
  @CsvSource({
    "daily,tenant%3Dacme%2Cuser%3D1,key is tenant=VALUE",
    "daily,user%3Dacme,key is tenant=VALUE",
    "daily,'',key is tenant=VALUE",
    "public-api,api%3Dpublic,has one bucket only",
  })
  void aKeyThatNoBucketOfTheQuotaHasIsRefused(String quota, String key, String says)
      throws Exception {
    Http.Answer answer = http.get("/v1/domains/shop/quotas/" + quota + "/leases?key=" + key);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().path("detail").asText()).contains(says).contains("shop/" + quota);
  }

  @Test
  void whatOnlyAgentsOfUnknownRegionsAskAboutIsNoLease() throws Exception {
    http.put("/v1/domains/shop/quotas/far", QUOTA);
    BucketId bucket = new BucketId(new QuotaId("shop", "far"), "user=far");
    new TestAgent("mars", bucket, 1_000_000_000L).ask(http);
    String path = "/v1/domains/shop/quotas/far/leases";
    JsonNode leases = http.get(path).json();
    assertThat(leases.path("agents")).isEmpty();
    assertThat(leases.path("buckets")).isEmpty();
    assertThat(leases.path("ledgers").asInt()).isZero();
    // Whoever looks for it finds it.
    assertThat(http.get(path + "?key=user%3Dfar").json().path("agents").path(0).path("region"))
        .hasToString("\"mars\"");
    new TestAgent("eu-west", bucket, 1_000_000_000L).ask(http);
    JsonNode both = http.get(path).json();
    assertThat(both.path("agents").findValuesAsText("region")).containsExactly("eu-west");
    assertThat(both.path("buckets").findValuesAsText("key")).contains("user=far");
    http.delete("/v1/domains/shop/quotas/far");
  }

  @Test
  void explainSaysWhatARequestCountsAgainst() throws Exception {
    JsonNode explained = http.get("/v1/domains/shop/explain?d.api=public&d.tenant=acme").json();
    assertThat(explained.path("quotas").findValuesAsText("quota"))
        .containsExactly("daily", "public-api");
    assertThat(explained.path("quotas").path(0).path("key").asText()).isEqualTo("tenant=acme");
  }

  @Test
  void badRequestsAreRefusedAndDisturbNobody() throws Exception {
    assertThat(http.post("/v1/sync", "{\"r\":").status()).isEqualTo(400);
    assertThat(http.post("/v1/sync", "").status()).isEqualTo(400);
    assertThat(http.post("/v1/sync", "").json().path("detail").asText())
        .isEqualTo("expected an object and found nothing");
    assertThat(http.post("/v1/sync", new byte[Wire.REQUEST_BYTES_MAX + 1]).status()).isEqualTo(413);
    Http.Answer other =
        http.post("/v1/sync", "{\"c\":\"another\",\"r\":\"eu-west\",\"b\":1,\"s\":1}");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.json().path("detail").asText()).contains("--cluster-id another");
    Http.Answer nowhere = http.get("/v1/domains/nowhere/quotas");
    assertThat(nowhere.status()).isEqualTo(404);
    assertThat(nowhere.json().path("detail").asText()).startsWith("there is no domain nowhere; ");
    assertThat(http.get("/v1/domains/shpo/quotas/x/bound").json().path("detail").asText())
        .startsWith("there is no domain shpo (did you mean \"shop\"?); ");
    Http.Answer noQuota = http.get("/v1/domains/shop/quotas/publicapi/bound");
    assertThat(noQuota.status()).isEqualTo(404);
    assertThat(noQuota.json().path("detail").asText())
        .startsWith("there is no quota publicapi in domain shop (did you mean \"public-api\"?); ");
    assertThat(http.put("/v1/domains/shop/quotas/UPPER", QUOTA).status()).isEqualTo(400);
    assertThat(http.put("/v1/domains/shop/quotas/bad", "{{{").status()).isEqualTo(422);
    assertThat(http.post("/v1/regions/nowhere/drain", "").status()).isEqualTo(404);
    assertThat(http.get("/v1/events?since=yesterday").json().path("detail").asText())
        .contains("a whole number as in the field `last` of /v1/events")
        .endsWith("\"yesterday\"");
    assertThat(http.post("/healthz", "").status()).isEqualTo(405);
    BucketId ok = new BucketId(new QuotaId("shop", "daily"), "tenant=ok");
    TestAgent agent = new TestAgent("eu-west", ok, 86_400_000_000_000L);
    assertThat(agent.ask(http)).isPositive();
  }

  @Test
  void anAgentOfARegionThatIsNotConfiguredIsToldHowToAddIt() throws Exception {
    Http.Answer answer = http.post("/v1/sync", "{\"r\":\"mars\",\"b\":1,\"s\":1}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("x").asText()).isEqualTo("UNKNOWN_REGION");
    assertThat(answer.json().path("e").asText()).contains("add it under `regions:`");
  }

  @Test
  void regionsAreDrainedAndTheirFloorsReleasedByAnOperatorsWord() throws Exception {
    assertThat(http.post("/v1/regions/us-east/drain", "").json().path("drained").asBoolean())
        .isTrue();
    Http.Answer answer = http.post("/v1/sync", "{\"r\":\"us-east\",\"b\":7,\"s\":1,\"d\":\"x\"}");
    assertThat(answer.json().path("d").asBoolean()).isTrue();
    assertThat(http.post("/v1/regions/us-east/undrain", "").json().path("drained").asBoolean())
        .isFalse();
    assertThat(
            http.post("/v1/regions/us-east/release-floor", "").json().path("released").asBoolean())
        .isTrue();
    assertThat(
            http.post("/v1/regions/us-east/release-floor", "").json().path("released").asBoolean())
        .isFalse();
  }

  @Test
  void eventsAreListedAndStreamed() throws Exception {
    JsonNode events = http.get("/v1/events").json();
    assertThat(events.path("events").findValuesAsText("kind")).contains("quotas-changed");
    HttpRequest request =
        HttpRequest.newBuilder(http.uri("/v1/events/stream?since=" + events.path("last"))).build();
    var response = Http.client().send(request, BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).startsWith(":");
      http.put("/v1/domains/shop/quotas/streamed", QUOTA);
      String line = lines.readLine();
      while (line != null && !line.contains("shop/streamed")) {
        line = lines.readLine();
      }
      assertThat(line).startsWith("data: ");
    }
    http.delete("/v1/domains/shop/quotas/streamed");
  }

  /** Load balancers and proxies ask so. */
  @ParameterizedTest
  @ValueSource(
      strings = {"/healthz", "/readyz", "/metrics", "/", "/v1/domains", "/v1/agents", "/v1/events"})
  void headAnswersLikeGetWithoutTheBody(String path) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(http.uri(path));
    var get = Http.client().send(request.build(), BodyHandlers.ofString());
    var head =
        Http.client()
            .send(request.method("HEAD", BodyPublishers.noBody()).build(), BodyHandlers.ofString());
    assertThat(head.statusCode()).isEqualTo(get.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("content-type"))
        .isEqualTo(get.headers().firstValue("content-type"));
    // The connection goes on with the next answer: nothing of a body was sent.
    assertThat(http.get("/healthz").status()).isEqualTo(200);
  }

  @Test
  void itIsAliveAndReady() throws Exception {
    assertThat(http.get("/healthz").status()).isEqualTo(200);
    JsonNode ready = http.get("/readyz").json();
    assertThat(ready.path("ready").asBoolean()).isTrue();
    assertThat(ready.path("learning").asBoolean()).isFalse();
    assertThat(http.get("/").text()).contains("/v1/sync");
  }
}
