package dev.weir.coordinator.api;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;

/** Paths that are read. */
final class Reads {
  private Reads() {}

  /**
   * Returns the route of a path for GET, and for HEAD, as probes and proxies ask: its handler
   * answers both the same, and of the answer to HEAD the server leaves the body away.
   */
  static Route of(Router router, String path) {
    return router.route(path).method(HttpMethod.GET).method(HttpMethod.HEAD);
  }
}
