package dev.weir.coordinator.api;

import dev.weir.coordinator.events.Event;
import dev.weir.coordinator.events.EventLog;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Events, as a list and as a stream of server-sent events. */
final class EventRoutes {
  private static final String SINCE = "since";
  private static final int STREAMS_MAX = 100;
  private static final long HEARTBEAT_MILLIS = 10_000;

  private final EventLog events;
  private final AtomicInteger streams = new AtomicInteger();

  EventRoutes(EventLog events) {
    this.events = events;
  }

  void on(Paths paths) {
    paths.read("/v1/events", this::list, SINCE);
    paths.on(HttpMethod.GET, "/v1/events/stream", this::stream, SINCE);
  }

  private void list(RoutingContext context) {
    Long since = since(context, Paths.parameter(context, SINCE));
    if (since == null) {
      return;
    }
    List<Event> found = events.since(since);
    JsonArray array = new JsonArray();
    found.forEach(event -> array.add(json(event)));
    Answers.json(
        context,
        new JsonObject()
            .put("events", array)
            .put("last", found.isEmpty() ? since : (Long) found.get(found.size() - 1).id()));
  }

  private void stream(RoutingContext context) {
    // A browser that lost the connection says where it was.
    String last = context.request().getHeader("Last-Event-ID");
    Long since = since(context, last == null ? Paths.parameter(context, SINCE) : last);
    if (since == null) {
      return;
    }
    if (streams.incrementAndGet() > STREAMS_MAX) {
      streams.decrementAndGet();
      Problem.send(
          context, 503, "Too many streams", "at most " + STREAMS_MAX + " may follow the events");
      return;
    }
    HttpServerResponse response = context.response();
    response
        .setChunked(true)
        .putHeader("Content-Type", "text/event-stream")
        .putHeader("Cache-Control", "no-store");
    Context loop = Vertx.currentContext();
    write(response, ": events of the coordinator\n\n");
    Runnable end =
        events.follow(since, event -> loop.runOnContext(go -> write(response, text(event))));
    long heartbeat =
        context.vertx().setPeriodic(HEARTBEAT_MILLIS, timer -> write(response, ": alive\n\n"));
    response.closeHandler(
        closed -> {
          streams.decrementAndGet();
          end.run();
          context.vertx().cancelTimer(heartbeat);
        });
  }

  /** One who does not read is let go: the events it misses are in the list. */
  private static void write(HttpServerResponse response, String text) {
    if (response.closed() || response.ended()) {
      return;
    }
    if (response.writeQueueFull()) {
      response.reset();
      return;
    }
    response.write(text).onFailure(gone -> {});
  }

  private static @Nullable Long since(RoutingContext context, @Nullable String text) {
    if (text == null || text.isEmpty()) {
      return 0L;
    }
    if (text.matches("[0-9]{1,18}")) {
      return Long.valueOf(text);
    }
    Problem.send(
        context,
        400,
        "Bad number",
        "since is the id of the last event you have seen, a whole number as in the field `last` of"
            + " /v1/events; 0 or nothing for all there are: \""
            + text
            + "\"");
    return null;
  }

  private static String text(Event event) {
    return "id: "
        + event.id()
        + "\nevent: "
        + event.kind().text()
        + "\ndata: "
        + json(event).encode()
        + "\n\n";
  }

  private static JsonObject json(Event event) {
    return new JsonObject()
        .put("id", event.id())
        .put("time", event.time().toString())
        .put("kind", event.kind().text())
        .put("message", event.message())
        .put("details", new JsonObject(event.details()));
  }
}
