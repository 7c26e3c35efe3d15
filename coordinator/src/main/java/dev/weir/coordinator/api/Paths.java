package dev.weir.coordinator.api;

import dev.weir.protocol.BadTextException;
import dev.weir.protocol.QueryText;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The paths there are, with the methods and the parameters that mean something on each. */
final class Paths {
  private static final String KEY = Paths.class.getName();

  private final Router router;
  private final Map<String, Set<String>> methods = new LinkedHashMap<>();

  Paths(Router router) {
    this.router = router;
  }

  /**
   * Adds a path that is read: for GET, and for HEAD, as probes and proxies ask. Its handler answers
   * both the same, and of the answer to HEAD the server leaves the body away.
   *
   * @param parameters the names there are; {@code "d."} stands for all that begin so
   */
  void read(String path, Handler<RoutingContext> handler, String... parameters) {
    on(HttpMethod.GET, path, handler, parameters);
    on(HttpMethod.HEAD, path, handler, parameters);
  }

  /** Adds a path that is read whatever its parameters say: the address of a probe is not ours. */
  void probe(String path, Handler<RoutingContext> handler) {
    on(HttpMethod.GET, path).handler(handler);
    on(HttpMethod.HEAD, path).handler(handler);
  }

  /** Adds a method of a path. */
  void on(HttpMethod method, String path, Handler<RoutingContext> handler, String... parameters) {
    List<String> known = List.of(parameters);
    on(method, path).handler(context -> checked(context, known)).handler(handler);
  }

  /** To be called once all are added: refuses every other method. */
  void end() {
    methods.forEach(
        (path, allowed) -> {
          String names = String.join(", ", allowed);
          router.route(path).handler(context -> notAllowed(context, names));
        });
  }

  /** Returns what the request's query says of a parameter; null where it does not name it. */
  static @Nullable String parameter(RoutingContext context, String name) {
    return parameters(context).get(name);
  }

  /** Returns the parameters of the request's query. */
  static Map<String, String> parameters(RoutingContext context) {
    Map<String, String> parameters = context.get(KEY);
    return parameters == null ? Map.of() : parameters;
  }

  private Route on(HttpMethod method, String path) {
    methods.computeIfAbsent(path, added -> new TreeSet<>()).add(method.name());
    return router.route(method, path);
  }

  private static void checked(RoutingContext context, List<String> known) {
    try {
      context.put(KEY, QueryText.parameters(context.request().uri(), known));
    } catch (BadTextException wrong) {
      Problem.send(context, 400, "Bad parameter", String.valueOf(wrong.getMessage()));
      return;
    }
    context.next();
  }

  private static void notAllowed(RoutingContext context, String allowed) {
    context.response().putHeader(HttpHeaders.ALLOW, allowed);
    Problem.send(
        context,
        405,
        "Method not allowed",
        context.request().method() + " means nothing on this path; allowed here: " + allowed);
  }
}
