package dev.weir.sim.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/** An agent in a few lines: admits by tenant, and answers nothing before its gate is open. */
final class StubAgent implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Predicate<String> admits;
  private final CountDownLatch gate;
  private final int status;
  private final List<String> tenants = new CopyOnWriteArrayList<>();

  StubAgent(Predicate<String> admits, CountDownLatch gate, int status) throws IOException {
    this.admits = admits;
    this.gate = gate;
    this.status = status;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/v1/decisions",
        exchange -> {
          try (exchange) {
            byte[] answer = decide(JSON.readTree(exchange.getRequestBody())).getBytes(UTF_8);
            exchange.sendResponseHeaders(status(), answer.length);
            exchange.getResponseBody().write(answer);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    server.start();
  }

  static StubAgent open(Predicate<String> admits) throws IOException {
    return new StubAgent(admits, new CountDownLatch(0), 200);
  }

  private int status() {
    return status;
  }

  private String decide(JsonNode body) throws InterruptedException {
    StringJoiner decisions = new StringJoiner(",", "{\"decisions\":[", "]}");
    for (JsonNode request : body.path("requests")) {
      String tenant = request.path("descriptors").path("tenant").asText();
      tenants.add(tenant);
      decisions.add("{\"allowed\":" + admits.test(tenant) + ",\"reason\":\"OK\"}");
    }
    gate.await();
    return decisions.toString();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** The tenants asked about so far, in the order they came. */
  List<String> tenants() {
    return tenants;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
