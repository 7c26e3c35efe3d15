package dev.weir.bench;

import dev.weir.agent.server.AgentServer;
import dev.weir.agent.testcoordinator.TestCoordinator;
import dev.weir.config.AgentSettings;
import dev.weir.config.ClockSettings;
import dev.weir.config.Endpoint;
import dev.weir.config.SyncSettings;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/**
 * Two servers to compare with {@code wrk}, one event loop each: {@code agent PORT} decides; {@code
 * fixed PORT} answers the same bytes without deciding; {@code bare PORT} answers 200 and nothing
 * else. Bound to loopback.
 */
public final class CheckServers {
  private CheckServers() {}

  /**
   * Runs one of them until it is killed.
   *
   * @param args which, and the port
   */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    switch (args[0]) {
      case "agent" -> agent(port);
      case "fixed" -> fixed(port, true);
      case "bare" -> fixed(port, false);
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.out.println("up " + args[0] + " " + port);
  }

  /** A quota that never runs out, one bucket per tenant. */
  private static void agent(int port) throws Exception {
    QuotaSpec quota =
        QuotaSpec.leased(
            new QuotaId("shop", "public-api"),
            List.of(Match.any("tenant"), new Match("api", "public")),
            Rate.of(600_000_000, 60_000_000_000L),
            Tokens.micros(100_000_000));
    DomainBook domain = new DomainBook("shop", List.of(new Region("eu-west", 1)), List.of(quota));
    TestCoordinator coordinator =
        new TestCoordinator("c1", new QuotaBook(1, Map.of("shop", domain)));
    Endpoint any = new Endpoint("127.0.0.1", 0);
    AgentServer unused =
        AgentServer.start(
            new AgentSettings(
                "eu-west",
                List.of(coordinator.address()),
                new Endpoint("127.0.0.1", port),
                any,
                any,
                null,
                Files.createTempDirectory("weir-bench"),
                SyncSettings.DEFAULT,
                ClockSettings.DEFAULT,
                null,
                List.of(),
                1_000_000),
            1);
  }

  private static void fixed(int port, boolean headers) throws Exception {
    CharSequence noStore = HttpHeaders.createOptimized("no-store");
    CharSequence policy = HttpHeaders.createOptimized("RateLimit-Policy");
    CharSequence limit = HttpHeaders.createOptimized("RateLimit");
    CharSequence zero = HttpHeaders.createOptimized("0");
    Object unused =
        Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1))
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(port))
            .requestHandler(
                request -> {
                  if (headers) {
                    request
                        .response()
                        .putHeader(HttpHeaders.CACHE_CONTROL, noStore)
                        .putHeader(policy, "\"public-api\";q=600000000;w=60")
                        .putHeader(limit, "\"public-api\";r=99999999;t=1");
                  }
                  request.response().putHeader(HttpHeaders.CONTENT_LENGTH, zero).end();
                })
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .get();
  }
}
