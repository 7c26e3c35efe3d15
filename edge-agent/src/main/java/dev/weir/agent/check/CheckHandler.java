package dev.weir.agent.check;

import dev.weir.agent.Decision;
import dev.weir.agent.Limiter;
import dev.weir.agent.count.Fault;
import dev.weir.agent.count.Tally;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code /v1/check} and {@code /v1/decisions}; one per event loop.
 *
 * <p>There is no router: paths are few, and finding one must cost nothing beside a decision.
 */
public final class CheckHandler implements Handler<HttpServerRequest> {
  /** Largest body of {@code /v1/check}, which needs none. */
  public static final int CHECK_BYTES_MAX = 64 * 1024;

  /** Largest body of {@code /v1/decisions}. */
  public static final int BATCH_BYTES_MAX = 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(CheckHandler.class);
  private static final String CHECK = "/v1/check";
  private static final String DECISIONS = "/v1/decisions";

  private final Limiter limiter;
  private final Answers answers;
  private final Context context;
  private final LongConsumer times;
  private final Tally<Fault> faults;

  /**
   * Makes the handler of one event loop.
   *
   * @param region for answers
   * @param context the event loop, on which late decisions are answered
   * @param times told how long each decision took, in nanoseconds
   * @param faults counts questions that get no verdict
   * @param dice numbers in {@code [0, 1)}, for jitter
   */
  public CheckHandler(
      Limiter limiter,
      String region,
      Context context,
      LongConsumer times,
      Tally<Fault> faults,
      DoubleSupplier dice) {
    this.limiter = limiter;
    this.answers = new Answers(region, dice);
    this.context = context;
    this.times = times;
    this.faults = faults;
  }

  @Override
  public void handle(HttpServerRequest request) {
    try {
      route(request);
    } catch (RuntimeException e) {
      LOG.error("a request was not answered", e);
      faults.count(Fault.INTERNAL);
      if (!request.response().ended()) {
        Answers.problem(
            request, 500, "Internal error", "This is a fault of the agent; see its log.");
      }
    }
  }

  private void route(HttpServerRequest request) {
    String uri = request.uri();
    int mark = uri.indexOf('?');
    int end = mark < 0 ? uri.length() : mark;
    if (isPath(uri, end, CHECK)) {
      check(request, mark < 0 ? "" : uri.substring(mark + 1));
    } else if (isPath(uri, end, DECISIONS)) {
      decisions(request);
    } else {
      Answers.problem(
          request, 404, "Not found", "There are " + CHECK + " and " + DECISIONS + " here.");
    }
  }

  private static boolean isPath(String uri, int end, String path) {
    return end == path.length() && uri.startsWith(path);
  }

  private void check(HttpServerRequest request, String query) {
    HttpMethod method = request.method();
    if (method.equals(HttpMethod.POST)) {
      // The body says nothing, but it has to be read before the connection can be used again.
      Bodies.read(request, CHECK_BYTES_MAX, body -> question(request, query));
    } else if (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD)) {
      question(request, query);
    } else {
      notAllowed(request, "GET, HEAD, POST");
    }
  }

  private void question(HttpServerRequest request, String query) {
    long startNanos = System.nanoTime();
    try {
      Question question = Question.of(query, request.headers());
      String domain = domain(question.domain());
      if (domain == null) {
        noQuotas(request);
        return;
      }
      answer(
          limiter.decideLater(domain, question.descriptors(), question.cost()),
          decision -> {
            times.accept(System.nanoTime() - startNanos);
            answers.decision(request, decision, question.denyStatus());
          });
    } catch (BadQuestionException e) {
      bad(request, e);
    }
  }

  private void decisions(HttpServerRequest request) {
    if (!request.method().equals(HttpMethod.POST)) {
      notAllowed(request, "POST");
      return;
    }
    Bodies.read(request, BATCH_BYTES_MAX, body -> batch(request, body));
  }

  private void batch(HttpServerRequest request, Buffer body) {
    try {
      List<Batch.Item> items = Batch.parse(body.getBytes());
      List<String> domains = new ArrayList<>(items.size());
      for (Batch.Item item : items) {
        String domain = domain(item.domain());
        if (domain == null) {
          noQuotas(request);
          return;
        }
        domains.add(domain);
      }
      // Only now, when nothing can be wrong with any of them.
      List<CompletableFuture<Decision>> stages = new ArrayList<>(items.size());
      for (int i = 0; i < items.size(); i++) {
        Batch.Item item = items.get(i);
        stages.add(
            limiter
                .decideLater(domains.get(i), item.descriptors(), item.cost())
                .toCompletableFuture());
      }
      answer(
          CompletableFuture.allOf(stages.toArray(new CompletableFuture<?>[0])),
          all -> {
            request
                .response()
                .putHeader(HttpHeaders.CACHE_CONTROL, Answers.NO_STORE)
                .putHeader(HttpHeaders.CONTENT_TYPE, Answers.JSON);
            Answers.body(
                request, Batch.answer(stages.stream().map(CompletableFuture::join).toList()));
          });
    } catch (BadQuestionException e) {
      bad(request, e);
    }
  }

  /** Runs at once where the stage is complete, as nearly always, and on this event loop else. */
  private <T> void answer(CompletionStage<T> stage, Consumer<T> then) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (future.isDone()) {
      then.accept(future.join());
    } else {
      CompletableFuture<Void> unused =
          future.thenAccept(result -> context.runOnContext(v -> then.accept(result)));
    }
  }

  /**
   * Returns the domain to ask for: the one named, or the only one there is; null where there is no
   * configuration at all.
   */
  private @Nullable String domain(@Nullable String named) throws BadQuestionException {
    if (!limiter.hasQuotas()) {
      return null;
    }
    if (named != null) {
      return named;
    }
    Map<String, ?> domains = limiter.quotas().domains();
    if (domains.size() == 1) {
      return domains.keySet().iterator().next();
    }
    throw new BadQuestionException(
        "say which domain, as ?domain=NAME: there are " + String.join(", ", domains.keySet()));
  }

  private void noQuotas(HttpServerRequest request) {
    faults.count(Fault.NO_QUOTAS);
    Answers.problem(
        request,
        503,
        "No verdict",
        "This agent has no quotas yet: no coordinator has answered, and none were stored before.");
  }

  private void bad(HttpServerRequest request, BadQuestionException e) {
    faults.count(Fault.BAD_QUESTION);
    Answers.problem(request, 400, "Malformed question", String.valueOf(e.getMessage()));
  }

  private static void notAllowed(HttpServerRequest request, String allowed) {
    request.response().putHeader(HttpHeaders.ALLOW, allowed);
    Answers.problem(request, 405, "Method not allowed", "Allowed here: " + allowed + ".");
  }
}
