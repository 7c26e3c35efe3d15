package dev.weir.agent.server;

import dev.weir.agent.RateLimiter;
import dev.weir.agent.check.Answers;
import dev.weir.agent.check.CheckHandler;
import dev.weir.agent.check.Repeats;
import dev.weir.agent.count.Durations;
import dev.weir.agent.count.Fault;
import dev.weir.agent.count.Tally;
import dev.weir.agent.telemetry.AgentMetrics;
import dev.weir.config.AgentSettings;
import dev.weir.config.Endpoint;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An agent with its sockets: decisions on some event loops, operators on one of their own. */
public final class AgentServer implements AutoCloseable {
  private static final long WAIT_SECONDS = 10;

  /** Room for one descriptor of the longest value, every byte of it written as {@code %XX}. */
  private static final int LINE_BYTES_MAX = 64 * 1024;

  private final AgentSettings settings;
  private final RateLimiter limiter;
  private final Vertx vertx;
  private final AgentMetrics metrics;
  private final Durations times = Durations.ofDecisions();
  private final Tally<Fault> faults = new Tally<>(Fault.class);
  private final String ownDomain = FirstRequests.drawDomain();
  private final Repeats repeats = new Repeats(System::nanoTime);
  private final AtomicInteger port = new AtomicInteger();
  private final AtomicInteger adminPort = new AtomicInteger();
  private final AtomicReference<@Nullable AdminHandler> admin = new AtomicReference<>();

  private AgentServer(AgentSettings settings, RateLimiter limiter, int eventLoops) {
    this.settings = settings;
    this.limiter = limiter;
    this.metrics = new AgentMetrics(limiter, times, faults);
    this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(eventLoops + 1));
  }

  /**
   * Starts an agent and its servers; when it returns, all of them answer.
   *
   * @param eventLoops threads that decide
   * @throws IOException if a folder, a file or a port cannot be used; the message says which
   */
  public static AgentServer start(AgentSettings settings, int eventLoops) throws IOException {
    // Before the region is claimed: a process that cannot serve must not fence one that does.
    requireFree(settings.http(), "http");
    requireFree(settings.admin(), "admin");
    RateLimiter limiter = RateLimiter.start(settings);
    AgentServer server = new AgentServer(settings, limiter, eventLoops);
    try {
      server.listen(eventLoops);
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static void requireFree(Endpoint at, String setting) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(at.host(), at.port()));
    } catch (IOException e) {
      throw new IOException(
          "cannot listen on "
              + at
              + ": "
              + e.getMessage()
              + "; set "
              + setting
              + ".port (WEIR_"
              + setting.toUpperCase(Locale.ROOT)
              + "_PORT), or "
              + setting
              + ".host, to another",
          e);
    }
  }

  private void listen(int eventLoops) throws IOException {
    // Admin first: whoever looks at it while the rest comes up must be told "not ready".
    await(vertx.deployVerticle(AdminVerticle::new, new DeploymentOptions()), settings.admin());
    await(
        vertx.deployVerticle(CheckVerticle::new, new DeploymentOptions().setInstances(eventLoops)),
        settings.http());
    FirstRequests.make(settings.http().host(), port(), ownDomain);
    ready(true);
  }

  /** The port where decisions are made. */
  public int port() {
    return port.get();
  }

  /** The port for operators. */
  public int adminPort() {
    return adminPort.get();
  }

  /** The agent in it. */
  public RateLimiter limiter() {
    return limiter;
  }

  /** Says "not ready", gives everything back, and closes the sockets. */
  @Override
  public void close() {
    ready(false);
    limiter.close();
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the servers do not close", e);
    } finally {
      metrics.close();
    }
  }

  private void ready(boolean now) {
    AdminHandler handler = admin.get();
    if (handler != null) {
      handler.ready(now);
    }
  }

  private HttpServer server(Endpoint at, Handler<HttpServerRequest> handler) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(at.host())
            .setPort(at.port())
            .setMaxInitialLineLength(LINE_BYTES_MAX)
            .setMaxHeaderSize(LINE_BYTES_MAX);
    return vertx
        .createHttpServer(options)
        .requestHandler(handler)
        .invalidRequestHandler(AgentServer::unreadable);
  }

  /** Nothing that follows on such a connection can be understood. */
  private static void unreadable(HttpServerRequest request) {
    Throwable why = request.decoderResult().cause();
    request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    if (why instanceof TooLongHttpLineException) {
      Answers.problem(
          request, 414, "Address too long", "An address has at most " + LINE_BYTES_MAX + " bytes.");
    } else if (why instanceof TooLongHttpHeaderException) {
      Answers.problem(
          request, 431, "Headers too large", "Headers have at most " + LINE_BYTES_MAX + " bytes.");
    } else {
      Answers.problem(request, 400, "Bad request", "This is not HTTP: " + why.getMessage());
    }
    Future<Void> unused = request.connection().close();
  }

  private static void await(Future<?> start, Endpoint at) throws IOException {
    try {
      Object unused =
          start.toCompletionStage().toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting", e);
    } catch (ExecutionException | TimeoutException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException("cannot listen on " + at + ": " + cause.getMessage(), e);
    }
  }

  private static void listen(HttpServer server, AtomicInteger port, Promise<Void> started) {
    Future<Void> unused =
        server
            .listen()
            .onSuccess(up -> port.set(up.actualPort()))
            .<Void>mapEmpty()
            .onComplete(started);
  }

  private final class CheckVerticle extends AbstractVerticle {
    @Override
    public void start(Promise<Void> started) {
      CheckHandler handler =
          new CheckHandler(
              limiter,
              ownDomain,
              settings.region(),
              context,
              times,
              faults,
              repeats,
              () -> ThreadLocalRandom.current().nextDouble());
      listen(server(settings.http(), handler), port, started);
    }
  }

  private final class AdminVerticle extends AbstractVerticle {
    @Override
    public void start(Promise<Void> started) {
      AdminHandler handler = new AdminHandler(limiter, metrics, context);
      admin.set(handler);
      listen(server(settings.admin(), handler), adminPort, started);
    }
  }
}
