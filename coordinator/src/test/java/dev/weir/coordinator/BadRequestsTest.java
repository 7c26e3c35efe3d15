package dev.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.coordinator.state.StartWord;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be meant is refused, and the answer says what could. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadRequestsTest {
  private static final String QUOTA = "{\"match\":[{\"key\":\"user\"}],\"limit\":\"5/s\"}";
  private static final String MINE = "/v1/domains/shop/quotas/mine";

  private Coordinator coordinator;
  private URI server;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    coordinator = new Site(folder).start(new StartWord.FirstStart());
    server = URI.create("http://" + coordinator.http());
  }

  @AfterAll
  void stop() {
    coordinator.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT /v1/domains/shop/quotas/q%zz | the path has a % that two hexadecimal digits must follow",
        "GET /v1/domains/shop/quotas/q% | the path has a % that two hexadecimal digits must follow",
        "GET /v1/domains/%ff/quotas | the path is not UTF-8",
        "GET /nothing%zz | the path has a %",
        "POST /v1/regions/eu-west%zz/drain | the path has a %",
        "GET /v1/domains/shop/quotas/daily/leases?key=%zz | the query has a %",
        "GET /v1/domains/shop/quotas/daily/leases?key=tenant%3D%ff | the query is not UTF-8",
        "GET /healthz?%zz | the query has a %",
      })
  void anAddressThatCannotBeDecodedIsAProblemLikeAnyOther(String line, String says)
      throws Exception {
    JsonNode problem = refused(RawHttp.send(server, line + " HTTP/1.1", ""), 400);
    assertThat(problem.path("detail").asText()).startsWith(says);
    assertThat(line).contains(problem.path("instance").asText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v1/domains/shop/quotas/daily/leases?d.tenant= | unknown parameter \"d.tenant\"; there is only key",
        "/v1/domains/shop/quotas/daily/leases?top=-4 | unknown parameter \"top\"; there is only key",
        "/v1/domains/shop/quotas/daily/leases?key=tenant%3Da&key=tenant%3Db | key is given twice",
        "/v1/domains/shop/quotas/daily/leases?key | parameter \"key\" has no value",
        "/v1/domains/shop/quotas/daily/bound?t=1 | unknown parameter \"t\"; this path has none",
        "/v1/domains/shop/explain?tenant=acme | unknown parameter \"tenant\"; there is only d.KEY=VALUE",
        "/v1/domains/shop/explain?d.tenant=a&d.tenant=b | d.tenant is given twice",
        "/v1/domains?x=1 | unknown parameter \"x\"; this path has none",
        "/v1/regions?region=eu-west | unknown parameter \"region\"; this path has none",
        "/v1/agents?state=lost | unknown parameter \"state\"; this path has none",
        "/v1/events?limit=-1 | unknown parameter \"limit\"; there is only since",
        "/v1/events?since=-1 | since is the id of the last event you have seen",
        "/v1/events/stream?from=1 | unknown parameter \"from\"; there is only since",
      })
  void aParameterThatMeansNothingIsNamed(String path, String says) throws Exception {
    JsonNode problem = refused(RawHttp.send(server, "GET " + path + " HTTP/1.1", ""), 400);
    assertThat(problem.path("detail").asText()).startsWith(says);
  }

  /** As agents judge it: a descriptor may be empty, and is one then. */
  @Test
  void anEmptyDescriptorIsAValueLikeAnyOther() throws Exception {
    Http http = new Http(server.toString());
    JsonNode explained = http.get("/v1/domains/shop/explain?d.tenant=").json();
    assertThat(explained.path("quotas").findValuesAsText("key")).containsExactly("tenant=");
    JsonNode leases = http.get("/v1/domains/shop/quotas/daily/leases?key=tenant%3D").json();
    assertThat(leases.path("key").asText()).isEqualTo("tenant=");
  }

  /** Agents take a semicolon in a value for one. */
  @Test
  void aSemicolonIsPartOfAValue() throws Exception {
    Http http = new Http(server.toString());
    JsonNode explained = http.get("/v1/domains/shop/explain?d.tenant=a;b").json();
    assertThat(explained.path("quotas").findValuesAsText("key")).containsExactly("tenant=a;b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dryRun=banana", "dryRun=", "dryRun", "dryrun=true", "dry_run=true"})
  void aDryRunThatIsNotUnderstoodChangesNothing(String query) throws Exception {
    JsonNode problem = refused(put("/v1/domains/shop/quotas/dry?" + query, "", QUOTA), 400);
    assertThat(problem.path("detail").asText()).contains("dryRun");
    assertThat(new Http(server.toString()).get("/v1/domains/shop/quotas/dry").status())
        .isEqualTo(404);
  }

  @Test
  void probesMayCarryParametersOfTheirOwn() throws Exception {
    Http http = new Http(server.toString());
    for (String path : new String[] {"/healthz", "/readyz", "/metrics", "/"}) {
      assertThat(http.get(path + "?nocache=17").status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE | /v1/agents | GET, HEAD",
        "POST | /healthz | GET, HEAD",
        "OPTIONS | /v1/domains/shop/quotas/daily | DELETE, GET, HEAD, PUT",
        "PATCH | /v1/domains/shop/quotas/daily | DELETE, GET, HEAD, PUT",
        "GET | /v1/regions/eu-west/drain | POST",
        "GET | /v1/sync | POST",
        "HEAD | /v1/events/stream | GET",
        "BREW | /v1/config/apply | POST",
        "TRACE | / | GET, HEAD",
      })
  void aMethodThatMeansNothingIsAnsweredWithThoseThatDo(String method, String path, String allowed)
      throws Exception {
    RawHttp.Answer answer = RawHttp.send(server, method + " " + path + " HTTP/1.1", "");
    assertThat(answer.head())
        .startsWith("HTTP/1.1 405 ")
        .containsIgnoringCase("\r\nallow: " + allowed + "\r\n")
        .contains("application/problem+json");
  }

  @Test
  void whatIsNoHttpIsAProblemToo() throws Exception {
    String much = "a".repeat(70_000);
    RawHttp.Answer line = RawHttp.send(server, "GET /v1/events?since=" + much + " HTTP/1.1", "");
    assertThat(line.head()).contains(" 414 ");
    assertThat(line.body()).contains("an address has at most 65536 bytes");
    RawHttp.Answer header = RawHttp.send(server, "GET / HTTP/1.1\nX-Much: " + much, "");
    assertThat(refused(header, 431).path("detail").asText()).contains("at most 65536 bytes");
    RawHttp.Answer length =
        RawHttp.send(server, "POST /v1/config/validate HTTP/1.1\nContent-Length: abc", "");
    assertThat(refused(length, 400).path("detail").asText()).startsWith("this is not HTTP: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"If-Match: \"1\", \"2\"", "If-Match: \"1\"\nIf-Match: \"2\"", "If-Match: "})
  void aConditionThatIsNoTagIsRefused(String header) throws Exception {
    JsonNode problem = refused(put(MINE, header, QUOTA), 400);
    assertThat(problem.path("detail").asText()).contains("If-Match is one tag as an ETag gave it");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"If-Match: \"7x\"", "If-Match: \"999999\"", "If-Match: W/\"3\"", "If-Match: 8"})
  void aTagOfNothingMatchesNothing(String header) throws Exception {
    assertThat(put("/v1/domains/shop/quotas/other?dryRun=true", header, QUOTA).head())
        .startsWith("HTTP/1.1 412 ");
  }

  @Test
  void aWholeFileCannotBeGuardedByATagAndSaysSo() throws Exception {
    RawHttp.Answer answer =
        RawHttp.send(
            server,
            "POST /v1/config/apply HTTP/1.1\nIf-Match: \"1\"",
            "domain: bank\nregions: {eu: {}}\nquotas: []\n");
    assertThat(refused(answer, 400).path("detail").asText()).contains("guard a single quota");
  }

  @Test
  void aBodyThatIsNotUtf8IsRefused() throws Exception {
    JsonNode problem = refused(put(MINE, "", QUOTA.replace("user", "us\u00ffer")), 400);
    assertThat(problem.path("detail").asText()).isEqualTo("the body is not UTF-8");
  }

  @Test
  void aPackedBodyIsRefused() throws Exception {
    JsonNode problem = refused(put(MINE, "Content-Encoding: gzip", QUOTA), 415);
    assertThat(problem.path("detail").asText()).contains("Content-Encoding");
    assertThat(put(MINE + "?dryRun=true", "Content-Encoding: identity", QUOTA).head())
        .startsWith("HTTP/1.1 200 ");
  }

  private RawHttp.Answer put(String path, String header, String body) throws Exception {
    return RawHttp.send(server, "PUT " + path + " HTTP/1.1\n" + header, body);
  }

  private static JsonNode refused(RawHttp.Answer answer, int status) throws Exception {
    assertThat(answer.head())
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("application/problem+json");
    JsonNode problem = new ObjectMapper().readTree(answer.body());
    assertThat(problem.path("status").asInt()).isEqualTo(status);
    return problem;
  }
}
