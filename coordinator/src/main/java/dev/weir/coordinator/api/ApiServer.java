package dev.weir.coordinator.api;

import dev.weir.config.ClockSettings;
import dev.weir.config.Endpoint;
import dev.weir.coordinator.desk.FrontDesk;
import dev.weir.coordinator.events.EventLog;
import dev.weir.coordinator.quotas.QuotaKeeper;
import dev.weir.coordinator.telemetry.CoordinatorMetrics;
import dev.weir.protocol.BadTextException;
import dev.weir.protocol.UrlText;
import dev.weir.protocol.Wire;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Serves the API. */
public final class ApiServer implements Closeable {
  private static final int LOOPS_MAX = 4;
  private static final int IDLE_SECONDS = 120;

  /** Room for a bucket's key of long values, every byte of it written as {@code %25XX}. */
  private static final int LINE_BYTES_MAX = 64 * 1024;

  private final Vertx vertx;
  private final Endpoint endpoint;

  private ApiServer(Vertx vertx, Endpoint endpoint) {
    this.vertx = vertx;
    this.endpoint = endpoint;
  }

  /** What the API speaks for. */
  public record Parts(
      FrontDesk desk,
      QuotaKeeper keeper,
      EventLog events,
      CoordinatorMetrics metrics,
      ClockSettings clock,
      Supplier<List<String>> diskProblems) {}

  /**
   * Listens.
   *
   * @param endpoint where; port 0 for any
   * @throws IOException if the port is in use or the address not of this machine
   */
  public static ApiServer listen(Endpoint endpoint, Parts parts) throws IOException {
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setClassPathResolvingEnabled(false)
                        .setFileCachingEnabled(false)));
    AtomicInteger port = new AtomicInteger(endpoint.port());
    int loops = Math.min(LOOPS_MAX, Runtime.getRuntime().availableProcessors());
    try {
      for (int i = 0; i < loops; i++) {
        var unused =
            vertx
                .deployVerticle(new Loop(endpoint, parts, port), new DeploymentOptions())
                .toCompletionStage()
                .toCompletableFuture()
                .join();
      }
    } catch (CompletionException refused) {
      close(vertx);
      Throwable why = refused.getCause() == null ? refused : refused.getCause();
      throw new IOException(
          "the API's address " + endpoint + " cannot be used: " + why.getMessage(), why);
    }
    return new ApiServer(vertx, new Endpoint(endpoint.host(), port.get()));
  }

  /** Where it listens. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /** One event loop's server; servers on the same port share its connections. */
  private static final class Loop extends VerticleBase {
    private final Endpoint endpoint;
    private final Parts parts;
    private final AtomicInteger port;

    Loop(Endpoint endpoint, Parts parts, AtomicInteger port) {
      this.endpoint = endpoint;
      this.parts = parts;
      this.port = port;
    }

    @Override
    public Future<HttpServer> start() {
      HttpServerOptions options =
          new HttpServerOptions()
              .setHost(endpoint.host())
              // To Vert.x a negative port is one that is drawn, and shared by all loops.
              .setPort(endpoint.port() == 0 ? -1 : endpoint.port())
              .setMaxInitialLineLength(LINE_BYTES_MAX)
              .setMaxHeaderSize(LINE_BYTES_MAX)
              .setIdleTimeout(IDLE_SECONDS)
              .setIdleTimeoutUnit(TimeUnit.SECONDS);
      Router router = router(vertx, parts);
      return vertx
          .createHttpServer(options)
          .requestHandler(request -> route(request, router))
          .invalidRequestHandler(ApiServer::unreadable)
          .listen()
          .onSuccess(server -> port.set(server.actualPort()));
    }
  }

  private static Router router(Vertx vertx, Parts parts) {
    Router router = Router.router(vertx);
    router
        .route()
        .handler(new RequestBody(Wire.REQUEST_BYTES_MAX))
        .failureHandler(ApiServer::failed);
    Paths paths = new Paths(router);
    new SyncRoute(parts.desk(), parts.metrics()).on(paths);
    new LeaseRoutes(parts.desk(), parts.keeper(), parts.clock()).on(paths);
    new QuotaRoutes(parts.keeper()).on(paths);
    new RegionRoutes(parts.desk(), parts.keeper()).on(paths);
    new EventRoutes(parts.events()).on(paths);
    new HealthRoutes(parts.desk(), parts.keeper(), parts.diskProblems(), parts.metrics()).on(paths);
    paths.end();
    router.errorHandler(
        404,
        context ->
            Problem.send(
                context, 404, "Not found", "no such path; GET / lists those that there are"));
    return router;
  }

  /** What the router cannot decode it would answer with a stack trace in the log. */
  private static void route(HttpServerRequest request, Router router) {
    try {
      UrlText.check(request.uri());
    } catch (BadTextException wrong) {
      Problem.send(request, 400, "Bad address", String.valueOf(wrong.getMessage()), List.of());
      return;
    }
    router.handle(request);
  }

  /** Nothing that follows on such a connection can be understood. */
  private static void unreadable(HttpServerRequest request) {
    Throwable why = request.decoderResult().cause();
    if (why instanceof TooLongHttpLineException) {
      refuse(
          request, 414, "Address too long", "an address has at most " + LINE_BYTES_MAX + " bytes");
    } else if (why instanceof TooLongHttpHeaderException) {
      refuse(
          request, 431, "Headers too large", "headers have at most " + LINE_BYTES_MAX + " bytes");
    } else {
      refuse(request, 400, "Bad request", "this is not HTTP: " + why.getMessage());
    }
  }

  private static void refuse(HttpServerRequest request, int status, String title, String detail) {
    request.response().putHeader("Connection", "close");
    Problem.send(request, status, title, detail, List.of());
    var unused = request.connection().close();
  }

  private static void failed(RoutingContext context) {
    int status = context.statusCode();
    if (status == 413) {
      Problem.send(
          context,
          413,
          "Too large",
          "a request may have " + Wire.REQUEST_BYTES_MAX + " bytes: send less at once");
    } else if (status == 415) {
      Problem.send(context, 415, "Packed", "a body is taken as it is: leave Content-Encoding away");
    } else if (status == 404) {
      context.next();
    } else if (status >= 400 && status < 500) {
      Problem.send(context, status, "Bad request", "the request could not be read");
    } else {
      Throwable failure = context.failure();
      Answers.failed(context, failure == null ? new IllegalStateException("unknown") : failure);
    }
  }

  @Override
  public void close() {
    close(vertx);
  }

  private static void close(Vertx vertx) {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
