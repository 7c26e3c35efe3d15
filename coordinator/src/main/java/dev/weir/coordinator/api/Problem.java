package dev.weir.coordinator.api;

import dev.weir.config.ConfigProblem;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Errors as answers: {@code application/problem+json} (RFC 9457), with what to do about them. */
final class Problem {
  private Problem() {}

  static void send(RoutingContext context, int status, String title, String detail) {
    send(context, status, title, detail, List.of());
  }

  static void send(
      RoutingContext context,
      int status,
      String title,
      String detail,
      List<ConfigProblem> problems) {
    send(context.request(), status, title, detail, problems);
  }

  /** Answers a request that no route has. */
  static void send(
      HttpServerRequest request,
      int status,
      String title,
      String detail,
      List<ConfigProblem> problems) {
    HttpServerResponse response = request.response();
    if (response.headWritten()) {
      response.reset();
      return;
    }
    JsonObject body =
        new JsonObject()
            .put("type", "about:blank")
            .put("title", title)
            .put("status", status)
            .put("detail", detail)
            .put("instance", request.path());
    if (!problems.isEmpty()) {
      body.put("problems", json(problems));
    }
    // What is left of a body that was refused is not read: the connection cannot go on.
    if (status == 413 || status == 415) {
      response.putHeader("Connection", "close");
    }
    response
        .setStatusCode(status)
        .putHeader("Content-Type", "application/problem+json")
        .putHeader("Cache-Control", "no-store")
        .end(body.toBuffer())
        .onFailure(gone -> {});
  }

  static JsonArray json(List<ConfigProblem> problems) {
    JsonArray array = new JsonArray();
    for (ConfigProblem problem : problems) {
      array.add(json(problem));
    }
    return array;
  }

  private static JsonObject json(ConfigProblem problem) {
    JsonObject json = new JsonObject();
    put(json, "file", problem.file().isEmpty() ? null : problem.file());
    put(json, "line", problem.line() == 0 ? null : problem.line());
    put(json, "column", problem.column() == 0 ? null : problem.column());
    json.put("message", problem.message());
    put(json, "suggestion", problem.suggestion());
    return json.put("text", problem.toString());
  }

  private static void put(JsonObject json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }
}
