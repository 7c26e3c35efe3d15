package dev.weir.agent.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.agent.Decision;
import dev.weir.agent.Reason;
import dev.weir.agent.Verdict;
import dev.weir.agent.count.Fault;
import dev.weir.agent.count.Tally;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers of {@code /v1/check} and {@code /v1/decisions}, over real sockets. */
class CheckHandlerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final QuotaSpec API =
      quota("public-api", new Rate(Tokens.micros(6000), 60_000_000_000L));
  private static final QuotaSpec ALL = quota("all", Rate.perSecond(1_000_000));
  private static final long MILLION = 1_000_000;
  private static final long ONE_SECOND = 1_000_000_000;
  private static final double DICE = 0.5;

  private static final Tally<Fault> FAULTS = new Tally<>(Fault.class);
  private static final FakeLimiter LIMITER = new FakeLimiter();
  private static Vertx vertx;
  private static HttpServer server;
  private static HttpClient client;

  @BeforeAll
  static void start() throws Exception {
    vertx = Vertx.vertx();
    CheckHandler handler =
        new CheckHandler(
            LIMITER,
            "own-domain",
            "eu-west",
            vertx.getOrCreateContext(),
            nanos -> {},
            FAULTS,
            new Repeats(System::nanoTime),
            () -> DICE);
    server =
        vertx
            .createHttpServer(new HttpServerOptions().setMaxInitialLineLength(32 * 1024))
            .requestHandler(handler)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(10, TimeUnit.SECONDS);
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @AfterAll
  static void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @BeforeEach
  void twoQuotas() {
    LIMITER.asked.clear();
    LIMITER.book = book("shop", API, ALL);
    LIMITER.answer = CompletableFuture.failedFuture(new IllegalStateException("no answer was set"));
  }

  // ------------------------------------------------------------------------------ allowed

  @Test
  void anAllowedRequestIs200WithoutABody() throws Exception {
    answers(allowed(Reason.OK, verdict(API, true, Reason.OK, 412_700_000, 10 * MILLION)));

    HttpResponse<String> response = get("/v1/check?d.tenant=acme&d.api=public&cost=2");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEmpty();
    assertThat(header(response, "Content-Length")).isEqualTo("0");
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(response, "RateLimit-Policy")).isEqualTo("\"public-api\";q=6000;w=60");
    assertThat(header(response, "RateLimit")).isEqualTo("\"public-api\";r=412;t=1");
    assertThat(response.headers().map()).doesNotContainKeys("retry-after", "x-ratelimit-shadow");
    assertThat(LIMITER.asked).containsExactly("shop api=public,tenant=acme 2");
  }

  @Test
  void theFieldsAreStructuredFieldsWithOneItemPerQuota() throws Exception {
    answers(
        allowed(
            Reason.OK,
            verdict(API, true, Reason.OK, 412_700_000, 1_500 * MILLION),
            verdict(ALL, true, Reason.OK, Tokens.MAX_MICROS, Decision.NEVER)));

    HttpResponse<String> response = get("/v1/check");

    List<ListElement<?>> policy = items(response, "RateLimit-Policy");
    assertThat(name(policy.get(0))).isEqualTo("public-api");
    assertThat(integer(policy.get(0), "q")).isEqualTo(6000);
    assertThat(integer(policy.get(0), "w")).isEqualTo(60);
    assertThat(name(policy.get(1))).isEqualTo("all");
    assertThat(integer(policy.get(1), "q")).isEqualTo(1_000_000);
    assertThat(integer(policy.get(1), "w")).isEqualTo(1);

    List<ListElement<?>> limit = items(response, "RateLimit");
    assertThat(name(limit.get(0))).isEqualTo("public-api");
    assertThat(integer(limit.get(0), "r")).isEqualTo(412);
    assertThat(integer(limit.get(0), "t")).as("rounded up").isEqualTo(2);
    assertThat(integer(limit.get(1), "r")).isEqualTo(Tokens.MAX_TOKENS);
    assertThat(limit.get(1).getParams()).as("not known").doesNotContainKey("t");
  }

  @Test
  void aWindowThatIsNoWholeSecondsIsLeftOut() throws Exception {
    QuotaSpec fast = quota("fast", new Rate(Tokens.micros(10), 500 * MILLION));
    LIMITER.book = book("shop", fast);
    answers(allowed(Reason.OK, verdict(fast, true, Reason.OK, 0, 50 * MILLION)));

    assertThat(header(get("/v1/check"), "RateLimit-Policy")).isEqualTo("\"fast\";q=10");
  }

  @Test
  void whereNoQuotaMatchesNoFieldIsSent() throws Exception {
    answers(allowed(Reason.OK));

    HttpResponse<String> response = get("/v1/check");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
  }

  @Test
  void aQuotaInShadowModeOnlySaysWhatItWouldHaveDone() throws Exception {
    QuotaSpec shadow = API.withMode(Mode.SHADOW);
    answers(
        allowed(
            Reason.SHADOW,
            verdict(shadow, true, Reason.SHADOW, 0, 100 * MILLION),
            verdict(ALL, true, Reason.OK, 5_000_000, 100 * MILLION)));

    HttpResponse<String> response = get("/v1/check");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "X-RateLimit-Shadow"))
        .isEqualTo("would-deny;policy=\"public-api\"");
    assertThat(items(response, "X-RateLimit-Shadow")).hasSize(1);
    assertThat(header(response, "RateLimit")).isEqualTo("\"all\";r=5;t=1");
  }

  // ------------------------------------------------------------------------------ refused

  @Test
  void aRefusalIs429AndSaysWhenAndWhy() throws Exception {
    answers(refused(Reason.EXHAUSTED, 2_800 * MILLION));

    HttpResponse<String> response = get("/v1/check?d.tenant=acme&d.api=public");

    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(response, "Retry-After")).isEqualTo("3");
    assertThat(header(response, "RateLimit")).isEqualTo("\"public-api\";r=0;t=3");
    assertThat(header(response, "RateLimit-Policy")).isEqualTo("\"public-api\";q=6000;w=60");
    JsonNode problem = JSON.readTree(response.body());
    assertThat(problem.get("type").asText())
        .isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
    assertThat(problem.get("status").asInt()).isEqualTo(429);
    assertThat(problem.get("violated-policies")).hasToString("[\"public-api\"]");
    assertThat(problem.get("weir-reason").asText()).isEqualTo("EXHAUSTED");
    assertThat(problem.get("weir-region").asText()).isEqualTo("eu-west");
    assertThat(problem.get("detail").asText())
        .isEqualTo("Quota public-api is used up in region eu-west; retry in 3 s.");
  }

  /** Half the dice are half of the tenth that may be added. */
  @ParameterizedTest
  @ValueSource(
      longs = {1, 400 * MILLION, 999 * MILLION, ONE_SECOND, 60_000 * MILLION, Long.MAX_VALUE - 1})
  void aWaitIsMadeLongerAndNeverShorter(long nanos) throws Exception {
    answers(refused(Reason.EXHAUSTED, nanos));

    long seconds = Long.parseLong(header(get("/v1/check"), "Retry-After"));

    assertThat(seconds).isGreaterThanOrEqualTo(1).isGreaterThanOrEqualTo(nanos / 1_000_000_000L);
    assertThat(seconds - 1).isLessThanOrEqualTo((long) (nanos / 1e9 * 1.05) + 1);
  }

  @Test
  void neverHasNoRetryAfter() throws Exception {
    answers(refused(Reason.COST_TOO_LARGE, Decision.NEVER));

    HttpResponse<String> response = get("/v1/check?cost=9223372036854775807");

    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(response.headers().map()).doesNotContainKey("retry-after");
    assertThat(header(response, "RateLimit")).isEqualTo("\"public-api\";r=0");
    assertThat(JSON.readTree(response.body()).get("detail").asText())
        .isEqualTo("Quota public-api takes no request that costs more than 25.");
    assertThat(LIMITER.asked).containsExactly("shop  9223372036854775807");
  }

  @Test
  void whoAsksFor403Gets403() throws Exception {
    answers(refused(Reason.EXHAUSTED, 1));

    HttpResponse<String> response = get("/v1/check?deny_status=403");

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(JSON.readTree(response.body()).get("status").asInt()).isEqualTo(403);
    assertThat(header(response, "Retry-After")).isEqualTo("1");
  }

  @Test
  void aRegionThatIsNotConfiguredIsSaidWithWhatToDo() throws Exception {
    answers(refused(Reason.UNKNOWN_REGION, 30_000 * MILLION));
    HttpResponse<String> response = get("/v1/check");
    assertThat(header(response, "Retry-After")).isEqualTo("32");
    assertThat(JSON.readTree(response.body()).get("detail").asText())
        .isEqualTo(
            "Region eu-west is not configured in domain shop: add it under `regions:` in the"
                + " domain's quota file at the coordinator, or correct `region:` in this agent's"
                + " settings; retry in 32 s.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LEASE_EXPIRED",
        "NO_LEASE",
        "UNKNOWN_REGION",
        "STORE_LOST",
        "LEARNING",
        "FLOOR_LENT",
        "DRAINED",
        "FENCED"
      })
  void whatIsMissingForAWhileIsSaidToBeThat(String reason) throws Exception {
    answers(refused(Reason.valueOf(reason), ONE_SECOND));

    JsonNode problem = JSON.readTree(get("/v1/check").body());

    assertThat(problem.get("type").asText()).endsWith("#temporary-reduced-capacity");
    assertThat(problem.get("weir-reason").asText()).isEqualTo(reason);
    assertThat(problem.get("status").asInt()).as("a verdict is never 5xx").isEqualTo(429);
  }

  // ------------------------------------------------------------------------------ methods

  @Test
  void headAnswersLikeGetWithoutTheBody() throws Exception {
    answers(refused(Reason.EXHAUSTED, 2_800 * MILLION));
    HttpResponse<String> get = get("/v1/check");
    HttpResponse<String> head = send("HEAD", "/v1/check", BodyPublishers.noBody());

    assertThat(head.statusCode()).isEqualTo(429);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().map()).isEqualTo(get.headers().map());
  }

  @Test
  void postAnswersAfterItsBody() throws Exception {
    answers(allowed(Reason.OK));
    assertThat(send("POST", "/v1/check", BodyPublishers.ofString("anything")).statusCode())
        .isEqualTo(200);
    assertThat(send("POST", "/v1/check", BodyPublishers.noBody()).statusCode()).isEqualTo(200);
    assertThat(LIMITER.asked).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "DELETE", "PATCH", "OPTIONS"})
  void otherMethodsAreRefusedWithTheOnesThereAre(String method) throws Exception {
    HttpResponse<String> response = send(method, "/v1/check", BodyPublishers.noBody());
    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(header(response, "Allow")).isEqualTo("GET, HEAD, POST");
    assertThat(LIMITER.asked).isEmpty();
    assertThat(send("GET", "/v1/decisions", BodyPublishers.noBody()).statusCode()).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/v1", "/v1/checks", "/v1/check/", "/V1/check", "/v1/%63heck"})
  void otherPathsAreNotFound(String path) throws Exception {
    assertThat(get(path).statusCode()).isEqualTo(404);
  }

  // ------------------------------------------------------------------------------ questions

  @Test
  void aMalformedQuestionIs400AndSaysWhatIsWrong() throws Exception {
    HttpResponse<String> response = get("/v1/check?cost=-1000");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    JsonNode problem = JSON.readTree(response.body());
    assertThat(problem.get("status").asInt()).isEqualTo(400);
    assertThat(problem.get("detail").asText()).contains("\"-1000\"");
    assertThat(get("/v1/check?d.tenant=" + "x".repeat(10_240)).statusCode()).isEqualTo(400);
    assertThat(LIMITER.asked).isEmpty();
  }

  @Test
  void theOnlyDomainNeedsNoNameAndOneOfSeveralDoes() throws Exception {
    answers(allowed(Reason.OK));
    assertThat(get("/v1/check").statusCode()).isEqualTo(200);
    assertThat(get("/v1/check?domain=shop").statusCode()).isEqualTo(200);
    assertThat(LIMITER.asked).containsExactly("shop  1", "shop  1");

    LIMITER.book =
        new QuotaBook(
            2,
            Map.of(
                "shop", new DomainBook("shop", List.of(), List.of()),
                "mail", new DomainBook("mail", List.of(), List.of())));
    HttpResponse<String> response = get("/v1/check");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("mail, shop");
  }

  /** It would match no quota: whoever mistypes it would be limited by nothing, and never know. */
  @Test
  void aDomainThatIsNotKnownIs400AndSaysWhichThereAre() throws Exception {
    answers(allowed(Reason.OK));
    long before = FAULTS.of(Fault.UNKNOWN_DOMAIN);

    HttpResponse<String> response = get("/v1/check?domain=shpo&d.tenant=acme");

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(JSON.readTree(response.body()).get("detail").asText())
        .isEqualTo("unknown domain \"shpo\" (did you mean \"shop\"?); there is only shop");
    HttpResponse<String> batch =
        post("{\"requests\":[{\"domain\":\"shop\"},{\"domain\":\"elsewhere\"}]}");
    assertThat(batch.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(batch.body()).get("detail").asText())
        .isEqualTo("requests[1]: unknown domain \"elsewhere\"; there is only shop");
    assertThat(LIMITER.asked).isEmpty();
    assertThat(FAULTS.of(Fault.UNKNOWN_DOMAIN) - before).isEqualTo(2);
  }

  @Test
  void ofManyDomainsOnlyAFewAreNamed() throws Exception {
    Map<String, DomainBook> many = new TreeMap<>();
    for (int i = 10; i < 30; i++) {
      many.put("d" + i, new DomainBook("d" + i, List.of(), List.of()));
    }
    LIMITER.book = new QuotaBook(2, many);
    assertThat(JSON.readTree(get("/v1/check?domain=elsewhere").body()).get("detail").asText())
        .isEqualTo("unknown domain \"elsewhere\"; there are d10, d11, d12, d13, d14 and 15 more");
    assertThat(get("/v1/check").body()).contains("d14 and 15 more");
  }

  @Test
  void aDomainWithoutQuotasIsKnownAndSoIsTheOneOfTheAgentItself() throws Exception {
    LIMITER.book = new QuotaBook(2, Map.of("mail", new DomainBook("mail", List.of(), List.of())));
    answers(allowed(Reason.OK));
    assertThat(get("/v1/check?domain=mail").statusCode()).isEqualTo(200);
    assertThat(get("/v1/check?domain=own-domain").statusCode()).isEqualTo(200);
  }

  @Test
  void withoutAnyQuotasThereIsNoVerdict() throws Exception {
    LIMITER.book = QuotaBook.EMPTY;
    HttpResponse<String> response = get("/v1/check?domain=shop");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(header(response, "Retry-After")).isEqualTo("1");
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(post("{\"requests\":[{}]}").statusCode()).isEqualTo(503);
  }

  @Test
  void aFaultOfOursIsNoVerdict() throws Exception {
    HttpResponse<String> response = get("/v1/check");
    assertThat(response.statusCode()).isEqualTo(500);
    answers(allowed(Reason.OK));
    assertThat(get("/v1/check").statusCode()).isEqualTo(200);
  }

  @Test
  void aDecisionThatWaitsIsAnsweredWhenItComes() throws Exception {
    CompletableFuture<Decision> later = new CompletableFuture<>();
    LIMITER.answer = later;
    CompletableFuture<HttpResponse<String>> response =
        client.sendAsync(request("/v1/check").build(), BodyHandlers.ofString());
    // Another connection is served meanwhile.
    assertThat(get("/nowhere").statusCode()).isEqualTo(404);
    assertThat(response).isNotDone();

    later.complete(allowed(Reason.OK));

    assertThat(response.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
  }

  // ------------------------------------------------------------------------------ bodies

  @Test
  void aBodyThatIsTooLargeIs413() throws Exception {
    answers(allowed(Reason.OK));
    byte[] large = new byte[CheckHandler.CHECK_BYTES_MAX + 1];
    assertThat(send("POST", "/v1/check", BodyPublishers.ofByteArray(large)).statusCode())
        .isEqualTo(413);
    byte[] larger = new byte[CheckHandler.BATCH_BYTES_MAX + 1];
    assertThat(send("POST", "/v1/decisions", BodyPublishers.ofByteArray(larger)).statusCode())
        .isEqualTo(413);
    // Without a declared length.
    assertThat(
            send(
                    "POST",
                    "/v1/decisions",
                    BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(larger)))
                .statusCode())
        .isEqualTo(413);
    assertThat(LIMITER.asked).isEmpty();
    assertThat(get("/v1/check").statusCode()).isEqualTo(200);
  }

  @Test
  void aClientThatAnnouncesTooMuchNeedNotSendIt() throws Exception {
    String answer =
        raw("POST /v1/decisions HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999999\r\n\r\n{");
    assertThat(answer).startsWith("HTTP/1.1 413 ").contains("\"status\":413");
  }

  @Test
  void aClientThatAsksFirstIsToldToGoOn() throws Exception {
    answers(allowed(Reason.OK));
    String answer =
        raw(
            "POST /v1/check HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\nhi");
    assertThat(answer).startsWith("HTTP/1.1 100 ").contains("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GARBAGE\r\n\r\n",
        "GET /v1/check HTTP/9.9\r\nHost: x\r\n\r\n",
        "POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n",
      })
  void whatIsNoHttpIsAnsweredAndHarmsNobody(String bytes) throws Exception {
    String answer = raw(bytes);
    assertThat(answer).matches("(?s)HTTP/\\d\\.\\d [45]\\d\\d .*");
    answers(allowed(Reason.OK));
    assertThat(get("/v1/check").statusCode()).isEqualTo(200);
  }

  // ------------------------------------------------------------------------------ repeats

  private static HttpResponse<String> repeat(String path, String key) throws Exception {
    return client.send(
        request(path).header("Idempotency-Key", key).build(), BodyHandlers.ofString());
  }

  @Test
  void aRepeatUnderTheSameKeyIsToldTheSameAndAskedOnce() throws Exception {
    answers(allowed(Reason.OK, verdict(API, true, Reason.OK, 7_000_000, 10 * MILLION)));
    assertThat(repeat("/v1/check?d.tenant=acme", "a-repeat").statusCode()).isEqualTo(200);
    answers(refused(Reason.EXHAUSTED, ONE_SECOND));
    HttpResponse<String> again = repeat("/v1/check?cost=1&d.tenant=acme", "\"a-repeat\"");
    assertThat(again.statusCode()).isEqualTo(200);
    assertThat(header(again, "RateLimit")).contains("r=7");
    String item = "{\"descriptors\":{\"tenant\":\"acme\"},\"idempotencyKey\":\"a-repeat\"}";
    HttpResponse<String> batch = post("{\"requests\":[" + item + "," + item + "]}");
    assertThat(JSON.readTree(batch.body()).get("decisions").findValuesAsText("allowed"))
        .containsOnly("true");
    assertThat(LIMITER.asked).hasSize(1);
    assertThat(repeat("/v1/check?d.tenant=acme", "another").statusCode()).isEqualTo(429);
    assertThat(get("/v1/check?d.tenant=acme").statusCode()).isEqualTo(429);
  }

  @Test
  void aKeyOfAnotherQuestionIs422AndNothingIsAsked() throws Exception {
    answers(allowed(Reason.OK));
    assertThat(repeat("/v1/check?d.tenant=acme", "one-question").statusCode()).isEqualTo(200);
    HttpResponse<String> other = repeat("/v1/check?d.tenant=acme&cost=2", "one-question");
    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(header(other, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(JSON.readTree(other.body()).get("title").asText())
        .isEqualTo("Idempotency key used before");
    assertThat(JSON.readTree(other.body()).get("detail").asText()).contains("one-question");
    assertThat(LIMITER.asked).hasSize(1);
  }

  @Test
  void aKeyOfAnotherQuestionSpoilsAWholeBatchAndItsOtherKeysStayFree() throws Exception {
    answers(allowed(Reason.OK));
    String batch =
        """
        {"requests":[{"idempotencyKey":"in-a-batch"},{"idempotencyKey":"twice","cost":1},
                     {"idempotencyKey":"twice","cost":2}]}
        """;
    assertThat(post(batch).statusCode()).isEqualTo(422);
    assertThat(LIMITER.asked).isEmpty();
    assertThat(repeat("/v1/check?cost=5", "in-a-batch").statusCode()).isEqualTo(200);
    assertThat(LIMITER.asked).hasSize(1);
  }

  @Test
  void aKeyThatIsEmptyOrTooLongIs400() throws Exception {
    answers(allowed(Reason.OK));
    assertThat(repeat("/v1/check", "\"\"").statusCode()).isEqualTo(400);
    assertThat(repeat("/v1/check", "x".repeat(256)).statusCode()).isEqualTo(400);
    assertThat(repeat("/v1/check", "x".repeat(255)).statusCode()).isEqualTo(200);
    assertThat(post("{\"requests\":[{\"idempotencyKey\":\"\"}]}").statusCode()).isEqualTo(400);
  }

  @Test
  void aFailureThatComesLateIsAnswered() throws Exception {
    CompletableFuture<Decision> late = new CompletableFuture<>();
    LIMITER.answer = late;
    CompletableFuture<HttpResponse<String>> response =
        client.sendAsync(request("/v1/check").build(), BodyHandlers.ofString());
    CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS)
        .execute(() -> late.completeExceptionally(new IllegalStateException("no verdict")));
    assertThat(response.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(500);
  }

  // ------------------------------------------------------------------------------ batches

  @Test
  void aBatchIsAnsweredInItsOrder() throws Exception {
    answers(
        new Decision(
            false,
            Reason.EXHAUSTED,
            2_800_001,
            List.of(
                verdict(API, false, Reason.EXHAUSTED, 900_000, 2_800_001),
                verdict(ALL, true, Reason.OK, 7_000_000, 5))));

    HttpResponse<String> response =
        post(
            """
            {"requests":[{"domain":"shop","descriptors":{"tenant":"acme"},"cost":3},
                         {"descriptors":{},"idempotencyKey":"abc"}]}
            """);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Content-Type")).isEqualTo("application/json");
    assertThat(header(response, "Cache-Control")).isEqualTo("no-store");
    JsonNode first = JSON.readTree(response.body()).get("decisions").get(0);
    assertThat(first)
        .isEqualTo(
            JSON.readTree(
                """
                {"allowed":false,"reason":"EXHAUSTED","retryAfterMs":3,"quotas":[
                  {"name":"public-api","allowed":false,"remaining":0,"retryAfterMs":3,"reason":"EXHAUSTED"},
                  {"name":"all","allowed":true,"remaining":7,"retryAfterMs":0,"reason":"OK"}]}
                """));
    assertThat(JSON.readTree(response.body()).get("decisions")).hasSize(2);
    assertThat(LIMITER.asked).containsExactly("shop tenant=acme 3", "shop  1");
  }

  @Test
  void neverIsNullInJson() throws Exception {
    answers(refused(Reason.COST_TOO_LARGE, Decision.NEVER));
    JsonNode decision = JSON.readTree(post("{\"requests\":[{}]}").body()).get("decisions").get(0);
    assertThat(decision.get("retryAfterMs").isNull()).isTrue();
    assertThat(decision.get("quotas").get(0).get("retryAfterMs").isNull()).isTrue();
  }

  @Test
  void anEmptyBatchHasAnEmptyAnswer() throws Exception {
    assertThat(post("{\"requests\":[]}").body().strip()).isEqualTo("{\"decisions\":[]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "nonsense",
        "{\"requests\":[",
        "{\"requests\":{}}",
        "{\"requests\":[1]}",
        "{\"requests\":[]} x",
        "{\"requests\":[],\"requests\":[]}",
        "{\"requests\":[],\"more\":1}",
        "{\"requests\":[{\"cost\":-1}]}",
        "{\"requests\":[{\"cost\":1.5}]}",
        "{\"requests\":[{\"cost\":\"1\"}]}",
        "{\"requests\":[{\"cost\":null}]}",
        "{\"requests\":[{\"domain\":1}]}",
        "{\"requests\":[{\"domain\":\"a b\"}]}",
        "{\"requests\":[{\"descriptors\":[]}]}",
        "{\"requests\":[{\"descriptors\":{\"a\":1}}]}",
        "{\"requests\":[{\"descriptors\":{\"a\":{}}}]}",
        "{\"requests\":[{\"descriptors\":{\"a\":\"1\",\"a\":\"2\"}}]}",
        "{\"requests\":[{\"descriptors\":{\"\":\"1\"}}]}",
        "{\"requests\":[{\"descriptors\":{\"a\":\"\\ud800\"}}]}",
        "{\"requests\":[{\"tenant\":\"acme\"}]}",
        "{\"requests\":[{},{\"cost\":-1}]}",
        "{\"requests\":[{\"cost\":100,\"cost\":1}]}",
        "{\"requests\":[{\"domain\":\"shop\",\"domain\":\"shop\"}]}",
        "{\"requests\":[{\"descriptors\":{\"a\":\"1\"},\"descriptors\":{}}]}",
        "{\"requests\":[{\"idempotencyKey\":\"a\",\"idempotencyKey\":\"b\"}]}",
      })
  void oneBadQuestionSpoilsTheBatchAndNothingIsTaken(String body) throws Exception {
    answers(allowed(Reason.OK));
    HttpResponse<String> response = post(body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(JSON.readTree(response.body()).get("detail").asText()).isNotEmpty();
    assertThat(LIMITER.asked).isEmpty();
  }

  @Test
  void aBatchSaysWhichQuestionIsBad() throws Exception {
    assertThat(post("{\"requests\":[{},{\"cost\":-1}]}").body())
        .contains("requests[1]: cost must not be negative: -1");
    assertThat(post("{\"requests\":[{\"cost\":100,\"cost\":1}]}").body())
        .contains("requests[0]: cost is given twice");
  }

  // ------------------------------------------------------------------------------ helpers

  private static void answers(Decision decision) {
    LIMITER.answer = CompletableFuture.completedFuture(decision);
  }

  private static Decision allowed(Reason reason, Verdict... quotas) {
    return new Decision(true, reason, 0, List.of(quotas));
  }

  private static Decision refused(Reason reason, long retryAfterNanos) {
    return new Decision(
        false, reason, retryAfterNanos, List.of(verdict(API, false, reason, 0, retryAfterNanos)));
  }

  private static Verdict verdict(
      QuotaSpec quota, boolean allowed, Reason reason, long remainingMicros, long nanos) {
    return new Verdict(quota, allowed, reason, remainingMicros, nanos);
  }

  private static QuotaSpec quota(String name, Rate rate) {
    return QuotaSpec.leased(
        new QuotaId("shop", name), List.of(Match.any("tenant")), rate, Tokens.micros(500));
  }

  private static QuotaBook book(String domain, QuotaSpec... quotas) {
    DomainBook book = new DomainBook(domain, List.of(new Region("eu-west", 1)), List.of(quotas));
    return new QuotaBook(1, Map.of(domain, book));
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return send("GET", path, BodyPublishers.noBody());
  }

  private static HttpResponse<String> post(String body) throws Exception {
    return send("POST", "/v1/decisions", BodyPublishers.ofString(body));
  }

  private static HttpResponse<String> send(
      String method, String path, HttpRequest.BodyPublisher body) throws Exception {
    return client.send(request(path).method(method, body).build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + path));
  }

  private static String raw(String bytes) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
      socket.setSoTimeout(10_000);
      OutputStream out = socket.getOutputStream();
      out.write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      InputStream in = socket.getInputStream();
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      in.transferTo(answer);
      return answer.toString(StandardCharsets.ISO_8859_1);
    }
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  private static List<ListElement<?>> items(HttpResponse<?> response, String name) {
    return Parser.parseList(header(response, name)).get();
  }

  private static String name(ListElement<?> item) {
    return item instanceof StringItem text ? text.get() : "not a string: " + item;
  }

  private static long integer(ListElement<?> item, String parameter) {
    return item.getParams().get(parameter) instanceof IntegerItem number
        ? number.getAsLong()
        : Long.MIN_VALUE;
  }
}
