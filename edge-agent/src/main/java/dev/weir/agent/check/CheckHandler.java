package dev.weir.agent.check;

import dev.weir.agent.Decision;
import dev.weir.agent.Limiter;
import dev.weir.agent.check.Repeats.Asked;
import dev.weir.agent.check.Repeats.Held;
import dev.weir.agent.check.Repeats.OtherQuestionException;
import dev.weir.agent.count.Fault;
import dev.weir.agent.count.Tally;
import dev.weir.core.quota.Descriptors;
import dev.weir.protocol.BadTextException;
import dev.weir.protocol.QueryText;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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

  /** An agent that finds a coordinator has its quotas within one round trip. */
  private static final String NO_QUOTAS_SECONDS = "1";

  private static final String CHECK = "/v1/check";
  private static final String DECISIONS = "/v1/decisions";

  private final Limiter limiter;
  private final Domains domains;
  private final Answers answers;
  private final Context context;
  private final LongConsumer times;
  private final Tally<Fault> faults;
  private final Repeats repeats;

  /**
   * Makes the handler of one event loop.
   *
   * @param ownDomain a domain that is known though it is in no configuration, so that the agent can
   *     ask itself; nobody else should be able to guess it
   * @param region for answers
   * @param context the event loop, on which late decisions are answered
   * @param times told how long each decision took, in nanoseconds
   * @param faults counts questions that get no verdict
   * @param repeats verdicts remembered, shared by all handlers of an agent
   * @param dice numbers in {@code [0, 1)}, for jitter
   */
  public CheckHandler(
      Limiter limiter,
      String ownDomain,
      String region,
      Context context,
      LongConsumer times,
      Tally<Fault> faults,
      Repeats repeats,
      DoubleSupplier dice) {
    this.limiter = limiter;
    this.domains = new Domains(limiter, ownDomain);
    this.answers = new Answers(region, dice);
    this.context = context;
    this.times = times;
    this.faults = faults;
    this.repeats = repeats;
  }

  @Override
  public void handle(HttpServerRequest request) {
    try {
      route(request);
    } catch (RuntimeException e) {
      internal(request, e);
    }
  }

  private void internal(HttpServerRequest request, RuntimeException e) {
    LOG.error("a request was not answered", e);
    faults.count(Fault.INTERNAL);
    if (!request.response().ended()) {
      Answers.problem(request, 500, "Internal error", "This is a fault of the agent; see its log.");
    }
  }

  private void route(HttpServerRequest request) {
    String uri = request.uri();
    int mark = uri.indexOf('?');
    int end = mark < 0 ? uri.length() : mark;
    if (isPath(uri, end, CHECK)) {
      check(request, mark < 0 ? "" : uri.substring(mark + 1));
    } else if (isPath(uri, end, DECISIONS)) {
      decisions(request, uri);
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
      String domain = domains.of(question.domain());
      if (domain == null) {
        noQuotas(request);
        return;
      }
      answer(
          request,
          decide(domain, question),
          decision -> {
            times.accept(System.nanoTime() - startNanos);
            answers.decision(request, decision, question.denyStatus());
          });
    } catch (BadQuestionException e) {
      bad(request, e);
    } catch (OtherQuestionException e) {
      other(request, e);
    }
  }

  private CompletionStage<Decision> decide(String domain, Question question)
      throws OtherQuestionException {
    String key = question.idempotencyKey();
    return key == null
        ? limiter.decideLater(domain, question.descriptors(), question.cost())
        : decide(
            repeats.hold(key, new Asked(domain, question.descriptors(), question.cost())),
            domain,
            question.descriptors(),
            question.cost());
  }

  private CompletableFuture<Decision> decide(
      Held held, String domain, Descriptors descriptors, long cost) {
    return repeats.decide(held, () -> limiter.decideLater(domain, descriptors, cost));
  }

  private void decisions(HttpServerRequest request, String uri) {
    if (!request.method().equals(HttpMethod.POST)) {
      notAllowed(request, "POST");
      return;
    }
    try {
      var unused = QueryText.parameters(uri, List.of());
    } catch (BadTextException e) {
      bad(request, new BadQuestionException(e.getMessage() + ": what is asked stands in the body"));
      return;
    }
    Bodies.read(request, BATCH_BYTES_MAX, body -> batch(request, body));
  }

  private void batch(HttpServerRequest request, Buffer body) {
    try {
      List<Batch.Item> items = Batch.parse(body.getBytes());
      List<String> named = new ArrayList<>(items.size());
      for (int i = 0; i < items.size(); i++) {
        String domain = domain(items, i);
        if (domain == null) {
          noQuotas(request);
          return;
        }
        named.add(domain);
      }
      List<@Nullable Held> keys = hold(items, named);
      // Only now, when nothing can be wrong with any of them.
      List<CompletableFuture<Decision>> stages = new ArrayList<>(items.size());
      for (int i = 0; i < items.size(); i++) {
        Batch.Item item = items.get(i);
        Held held = keys.get(i);
        stages.add(
            held == null
                ? limiter
                    .decideLater(named.get(i), item.descriptors(), item.cost())
                    .toCompletableFuture()
                : decide(held, named.get(i), item.descriptors(), item.cost()));
      }
      answer(
          request,
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
    } catch (OtherQuestionException e) {
      other(request, e);
    }
  }

  private @Nullable String domain(List<Batch.Item> items, int i) throws BadQuestionException {
    try {
      return domains.of(items.get(i).domain());
    } catch (BadQuestionException e) {
      throw new BadQuestionException(e.fault(), "requests[" + i + "]: " + e.getMessage());
    }
  }

  /** The keys of all items that have one, or of none. */
  private List<@Nullable Held> hold(List<Batch.Item> items, List<String> domains)
      throws OtherQuestionException {
    List<@Nullable Held> keys = new ArrayList<>(items.size());
    try {
      for (int i = 0; i < items.size(); i++) {
        Batch.Item item = items.get(i);
        String key = item.idempotencyKey();
        keys.add(
            key == null
                ? null
                : repeats.hold(key, new Asked(domains.get(i), item.descriptors(), item.cost())));
      }
      return keys;
    } catch (OtherQuestionException e) {
      for (Held held : keys) {
        if (held != null) {
          repeats.release(held);
        }
      }
      throw e;
    }
  }

  /** Runs at once where the stage is complete, as nearly always, and on this event loop else. */
  private <T> void answer(HttpServerRequest request, CompletionStage<T> stage, Consumer<T> then) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (future.isDone()) {
      answerNow(request, future, then);
    } else {
      CompletableFuture<T> unused =
          future.whenComplete(
              (result, failure) -> context.runOnContext(v -> answerNow(request, future, then)));
    }
  }

  private <T> void answerNow(
      HttpServerRequest request, CompletableFuture<T> done, Consumer<T> then) {
    try {
      then.accept(done.join());
    } catch (CompletionException e) {
      if (e.getCause() instanceof OtherQuestionException other) {
        other(request, other);
      } else {
        internal(request, e);
      }
    }
  }

  private void noQuotas(HttpServerRequest request) {
    faults.count(Fault.NO_QUOTAS);
    request.response().putHeader(HttpHeaders.RETRY_AFTER, NO_QUOTAS_SECONDS);
    Answers.problem(
        request,
        503,
        "No verdict",
        "This agent has no quotas yet: no coordinator has answered, and none were stored before.");
  }

  private void bad(HttpServerRequest request, BadQuestionException e) {
    faults.count(e.fault());
    String title = e.fault() == Fault.UNKNOWN_DOMAIN ? "Unknown domain" : "Malformed question";
    Answers.problem(request, 400, title, String.valueOf(e.getMessage()));
  }

  private void other(HttpServerRequest request, OtherQuestionException e) {
    faults.count(Fault.BAD_QUESTION);
    Answers.problem(request, 422, "Idempotency key used before", String.valueOf(e.getMessage()));
  }

  private static void notAllowed(HttpServerRequest request, String allowed) {
    request.response().putHeader(HttpHeaders.ALLOW, allowed);
    Answers.problem(request, 405, "Method not allowed", "Allowed here: " + allowed + ".");
  }
}
