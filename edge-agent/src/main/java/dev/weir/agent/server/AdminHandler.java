package dev.weir.agent.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.agent.RateLimiter;
import dev.weir.agent.check.Answers;
import dev.weir.agent.sync.SyncStatus;
import dev.weir.agent.telemetry.AgentMetrics;
import dev.weir.core.lease.HeldSum;
import dev.weir.core.lease.HoldingView;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Tokens;
import dev.weir.protocol.BadTextException;
import dev.weir.protocol.QueryText;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers operators: is it alive, is it ready, what has it counted, what does it hold. */
final class AdminHandler implements Handler<HttpServerRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(AdminHandler.class);
  private static final JsonFactory JSON = new JsonFactory();
  private static final String JSON_TYPE = "application/json";
  private static final String TEXT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final long SUMS_MILLIS_MAX = 500;
  private static final String BAD_PARAMETER = "Bad parameter";
  private static final int TOP = 50;
  private static final int TOP_MAX = 10_000;

  private final RateLimiter limiter;
  private final AgentMetrics metrics;
  private final Context context;
  private volatile boolean ready;

  AdminHandler(RateLimiter limiter, AgentMetrics metrics, Context context) {
    this.limiter = limiter;
    this.metrics = metrics;
    this.context = context;
  }

  /** Says from when, and until when, requests may be sent here. */
  void ready(boolean now) {
    ready = now;
  }

  @Override
  public void handle(HttpServerRequest request) {
    boolean reads =
        request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
    if (!reads) {
      request.response().putHeader(HttpHeaders.ALLOW, "GET, HEAD");
      Answers.problem(request, 405, "Method not allowed", "Allowed here: GET, HEAD.");
      return;
    }
    switch (request.path()) {
      case "/healthz" -> send(request, 200, "text/plain", "ok\n");
      case "/readyz" -> send(request, isReady() ? 200 : 503, JSON_TYPE, status());
      case "/metrics" -> metrics(request);
      case "/v1/status" ->
          asked(request, List.of(), none -> send(request, 200, JSON_TYPE, status()));
      case "/v1/buckets" -> asked(request, List.of("top"), given -> buckets(request, given));
      default ->
          Answers.problem(
              request,
              404,
              "Not found",
              "There are /healthz, /readyz, /metrics, /v1/status and /v1/buckets?top=50 here.");
    }
  }

  /**
   * Goes on with the parameters, if they are such as there are. Those of probes are not looked at.
   */
  private static void asked(
      HttpServerRequest request, List<String> known, Consumer<Map<String, String>> next) {
    Map<String, String> parameters;
    try {
      parameters = QueryText.parameters(request.uri(), known);
    } catch (BadTextException wrong) {
      Answers.problem(request, 400, BAD_PARAMETER, String.valueOf(wrong.getMessage()));
      return;
    }
    next.accept(parameters);
  }

  /** Whoever has no quotas, or was told to stop, can admit nothing: traffic is better elsewhere. */
  private boolean isReady() {
    SyncStatus.State state = limiter.status().state();
    return ready
        && limiter.hasQuotas()
        && state != SyncStatus.State.FENCED
        && state != SyncStatus.State.UNKNOWN_REGION;
  }

  private String status() {
    SyncStatus status = limiter.status();
    return json(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("ready", isReady());
          json.writeStringField("region", limiter.region());
          json.writeStringField("state", status.state().name());
          json.writeStringField("detail", status.detail());
          json.writeStringField("coordinator", status.coordinator());
          json.writeStringField("cluster", status.cluster());
          json.writeNumberField("boot", status.boot());
          json.writeNumberField("generation", limiter.quotas().generation());
          json.writeNumberField("floorVersion", status.floorVersion());
          json.writeNumberField("failures", status.failures());
          json.writeNumberField("roundTripMs", millis(status.roundTripNanos()));
          json.writeNumberField("keys", limiter.keyCount());
          json.writeEndObject();
        });
  }

  /** What is held only the sync thread can say; where it does not, the rest is told. */
  private void metrics(HttpServerRequest request) {
    CompletableFuture<Void> unused =
        limiter
            .sums()
            .completeOnTimeout(Map.of(), SUMS_MILLIS_MAX, TimeUnit.MILLISECONDS)
            .handle(
                (sums, failure) -> {
                  context.runOnContext(v -> scrape(request, sums == null ? Map.of() : sums));
                  return null;
                });
  }

  private void scrape(HttpServerRequest request, Map<QuotaId, HeldSum> sums) {
    try {
      send(request, 200, TEXT_TYPE, metrics.scrape(sums));
    } catch (RuntimeException e) {
      LOG.error("metrics cannot be told", e);
      Answers.problem(request, 500, "Internal error", "This is a fault of the agent; see its log.");
    }
  }

  private void buckets(HttpServerRequest request, Map<String, String> parameters) {
    String given = parameters.get("top");
    int top = top(given);
    if (top < 0) {
      Answers.problem(
          request,
          400,
          BAD_PARAMETER,
          "top must be a number in [1, " + TOP_MAX + "]: \"" + given + "\"");
      return;
    }
    CompletableFuture<Void> unused =
        limiter
            .holdings()
            .orTimeout(SUMS_MILLIS_MAX, TimeUnit.MILLISECONDS)
            .handle(
                (views, failure) -> {
                  context.runOnContext(
                      v -> {
                        if (views == null) {
                          Answers.problem(
                              request, 503, "No answer", "The sync thread does not answer.");
                        } else {
                          send(request, 200, JSON_TYPE, buckets(views, top));
                        }
                      });
                  return null;
                });
  }

  private static int top(@Nullable String text) {
    if (text == null) {
      return TOP;
    }
    try {
      int top = Integer.parseInt(text);
      return top >= 1 && top <= TOP_MAX ? top : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Those most is asked of, first. */
  private static String buckets(List<HoldingView> views, int top) {
    List<HoldingView> first =
        views.stream()
            .sorted(Comparator.comparingLong(HoldingView::demandMicros).reversed())
            .limit(top)
            .toList();
    return json(
        json -> {
          json.writeStartObject();
          json.writeNumberField("known", views.size());
          json.writeArrayFieldStart("buckets");
          for (HoldingView view : first) {
            bucket(json, view);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void bucket(JsonGenerator json, HoldingView view) throws IOException {
    Rate lease = new Rate(view.lease().rateMicros(), view.perNanos());
    json.writeStartObject();
    json.writeStringField("quota", view.bucket().quota().toString());
    json.writeStringField("key", view.bucket().key());
    json.writeNumberField("level", tokens(view.levelMicros()));
    json.writeNumberField(
        "leasePerSecond", tokens(lease.toPer(Nanos.SECOND_NANOS, false).micros()));
    json.writeNumberField("leaseBurst", tokens(view.lease().burstMicros()));
    json.writeNumberField("leaseExpiresInMs", millis(view.expiresInNanos()));
    json.writeNumberField("demandPerSecond", tokens(view.demandMicros()));
    json.writeBooleanField("learning", view.learning());
    json.writeEndObject();
  }

  private static double tokens(long micros) {
    return (double) micros / Tokens.MICROS_PER_TOKEN;
  }

  private static double millis(long nanos) {
    return (double) nanos / Nanos.MILLISECOND_NANOS;
  }

  private interface Writer {
    void write(JsonGenerator json) throws IOException;
  }

  private static String json(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      writer.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toString(StandardCharsets.UTF_8) + "\n";
  }

  private static void send(HttpServerRequest request, int status, String type, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    request
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, type)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    if (request.method().equals(HttpMethod.HEAD)) {
      request
          .response()
          .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length))
          .end();
    } else {
      request.response().end(Buffer.buffer(bytes));
    }
  }
}
