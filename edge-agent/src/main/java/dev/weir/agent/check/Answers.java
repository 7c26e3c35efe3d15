package dev.weir.agent.check;

import dev.weir.agent.Decision;
import dev.weir.agent.Reason;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.DoubleSupplier;

/** Writes decisions and problems as HTTP answers. Used by one event loop. */
public final class Answers {
  static final CharSequence POLICY = HttpHeaders.createOptimized("RateLimit-Policy");
  static final CharSequence LIMIT = HttpHeaders.createOptimized("RateLimit");
  static final CharSequence SHADOW = HttpHeaders.createOptimized("X-RateLimit-Shadow");
  static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
  static final CharSequence PROBLEM = HttpHeaders.createOptimized("application/problem+json");
  static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence ZERO = HttpHeaders.createOptimized("0");

  /** A wait is made longer by up to this part, so that those refused together come back apart. */
  private static final double JITTER = 0.1;

  private final RateLimitFields fields = new RateLimitFields();
  private final Problems problems;
  private final DoubleSupplier dice;

  /**
   * Makes the writer of one event loop.
   *
   * @param region for bodies
   * @param dice numbers in {@code [0, 1)}
   */
  Answers(String region, DoubleSupplier dice) {
    this.problems = new Problems(region);
    this.dice = dice;
  }

  /** Answers a question. */
  void decision(HttpServerRequest request, Decision decision, int denyStatus) {
    HttpServerResponse response = request.response();
    response.putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE);
    if (decision.allowed()) {
      limits(response, decision, 0);
      if (decision.reason() == Reason.SHADOW) {
        response.putHeader(SHADOW, RateLimitFields.shadow(decision.quotas()));
      }
      response.putHeader(HttpHeaders.CONTENT_LENGTH, ZERO).end();
      return;
    }
    long seconds = retryAfterSeconds(decision.retryAfterNanos());
    limits(response, decision, seconds);
    if (decision.retryAfterNanos() != Decision.NEVER) {
      response.putHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
    }
    response.setStatusCode(denyStatus).putHeader(HttpHeaders.CONTENT_TYPE, PROBLEM);
    body(request, problems.refusal(decision, denyStatus, seconds));
  }

  /** Answers with a problem that is no verdict. */
  public static void problem(HttpServerRequest request, int status, String title, String detail) {
    request
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE)
        .putHeader(HttpHeaders.CONTENT_TYPE, PROBLEM);
    body(request, Problems.problem(status, title, detail));
  }

  /** Sends a body, or for HEAD its length alone. */
  static void body(HttpServerRequest request, byte[] bytes) {
    HttpServerResponse response = request.response();
    if (request.method().equals(HttpMethod.HEAD)) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(bytes.length)).end();
    } else {
      response.end(Buffer.buffer(bytes));
    }
  }

  private void limits(HttpServerResponse response, Decision decision, long seconds) {
    String policy = fields.policy(decision.quotas());
    if (!policy.isEmpty()) {
      response.putHeader(POLICY, policy);
      response.putHeader(LIMIT, fields.limit(decision.quotas(), seconds));
    }
  }

  /** Longer than asked for, never shorter: who waits that long is not sent away again for it. */
  private long retryAfterSeconds(long nanos) {
    if (nanos == Decision.NEVER) {
      return 0;
    }
    double jitter = nanos * JITTER * dice.getAsDouble();
    return RateLimitFields.seconds(nanos + Math.min((long) jitter, Long.MAX_VALUE - nanos));
  }
}
