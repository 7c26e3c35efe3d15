package dev.weir.coordinator.api;

import dev.weir.coordinator.desk.SyncRefusedException;
import dev.weir.coordinator.quotas.Difference;
import dev.weir.coordinator.quotas.Outcome;
import dev.weir.core.quota.QuotaId;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How answers go out. */
final class Answers {
  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

  private Answers() {}

  static void json(RoutingContext context, JsonObject body) {
    json(context, 200, body);
  }

  static void json(RoutingContext context, int status, JsonObject body) {
    context
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body.toBuffer())
        .onFailure(gone -> {});
  }

  /** Goes on with a value on the request's own event loop, or answers what went wrong. */
  static <T> void when(RoutingContext context, CompletionStage<T> stage, Consumer<T> next) {
    Context loop = Vertx.currentContext();
    var unused =
        stage.whenComplete(
            (value, failure) ->
                loop.runOnContext(
                    go -> {
                      if (failure != null) {
                        failed(context, failure);
                        return;
                      }
                      try {
                        next.accept(value);
                      } catch (RuntimeException bug) {
                        failed(context, bug);
                      }
                    }));
  }

  static void failed(RoutingContext context, Throwable thrown) {
    Throwable failure =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (failure instanceof SyncRefusedException refused) {
      int status = refused.reason() == SyncRefusedException.Reason.OTHER_CLUSTER ? 409 : 503;
      Problem.send(
          context,
          status,
          status == 409 ? "Another cluster's agent" : "Cannot store",
          String.valueOf(refused.getMessage()));
      return;
    }
    LOG.error("{} {}", context.request().method(), context.request().path(), failure);
    Problem.send(
        context,
        500,
        "Internal error",
        "a fault of the coordinator, which its log describes; nothing was changed by this request"
            + " unless the log says so");
  }

  /** Answers what came of a wish to change the quotas. */
  static void outcome(RoutingContext context, Outcome outcome, int doneStatus) {
    if (outcome instanceof Outcome.Done done) {
      context.response().putHeader("ETag", "\"" + done.generation() + "\"");
      json(context, doneStatus, json(done));
    } else if (outcome instanceof Outcome.Invalid invalid) {
      Problem.send(
          context,
          422,
          "Not a valid quota file",
          String.join("\n", invalid.problems().stream().map(String::valueOf).toList()),
          invalid.problems());
    } else if (outcome instanceof Outcome.Conflict conflict) {
      Problem.send(context, 409, "Conflict", conflict.why());
    } else if (outcome instanceof Outcome.Stale stale) {
      Problem.send(context, 412, "Condition not met", stale.why());
    } else if (outcome instanceof Outcome.Unknown unknown) {
      Problem.send(context, 404, "Not found", unknown.why());
    } else if (outcome instanceof Outcome.NotStored failed) {
      Problem.send(context, 503, "Cannot store", failed.why() + "; nothing was changed");
    } else {
      throw new AssertionError(outcome);
    }
  }

  private static JsonObject json(Outcome.Done done) {
    Difference difference = done.difference();
    JsonObject body =
        new JsonObject()
            .put("generation", done.generation())
            .put("added", names(difference.added()))
            .put("changed", names(difference.changed()))
            .put("removed", names(difference.removed()))
            .put("regions", new JsonArray(difference.regions()));
    return done.warnings().isEmpty() ? body : body.put("warnings", Problem.json(done.warnings()));
  }

  private static JsonArray names(List<QuotaId> quotas) {
    JsonArray names = new JsonArray();
    quotas.forEach(quota -> names.add(quota.toString()));
    return names;
  }
}
