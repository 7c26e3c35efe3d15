package dev.weir.coordinator.api;

import dev.weir.coordinator.desk.FrontDesk;
import dev.weir.coordinator.desk.SyncRefusedException;
import dev.weir.coordinator.telemetry.CoordinatorMetrics;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.protocol.Parsed;
import dev.weir.protocol.Wire;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/** The agents' protocol. */
final class SyncRoute {
  private final FrontDesk desk;
  private final CoordinatorMetrics metrics;

  SyncRoute(FrontDesk desk, CoordinatorMetrics metrics) {
    this.desk = desk;
    this.metrics = metrics;
  }

  void on(Paths paths) {
    paths.on(HttpMethod.POST, "/v1/sync", this::sync);
  }

  private void sync(RoutingContext context) {
    long startNanos = System.nanoTime();
    Parsed<SyncRequest> parsed = Wire.request(RequestBody.of(context).getBytes());
    if (parsed instanceof Parsed.Message<SyncRequest> request) {
      String address = String.valueOf(context.request().remoteAddress());
      Answers.when(
          context,
          desk.sync(request.value(), address)
              .whenComplete(
                  (answer, failure) ->
                      metrics.synced(
                          answer == null ? failed(failure) : answer.status().name(),
                          System.nanoTime() - startNanos)),
          answer -> send(context, answer));
    } else if (parsed instanceof Parsed.Malformed<SyncRequest> malformed) {
      metrics.synced("MALFORMED", System.nanoTime() - startNanos);
      Problem.send(context, 400, "Malformed sync", malformed.why());
    } else {
      throw new AssertionError(parsed);
    }
  }

  private static String failed(Throwable failure) {
    return failure instanceof SyncRefusedException refused
            && refused.reason() == SyncRefusedException.Reason.OTHER_CLUSTER
        ? "REFUSED"
        : "FAILED";
  }

  private static void send(RoutingContext context, SyncAnswer answer) {
    context
        .response()
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(Buffer.buffer(Wire.encode(answer)))
        .onFailure(gone -> {});
  }
}
