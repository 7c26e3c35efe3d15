package dev.weir.coordinator.ctl;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers on loopback what a test says, and remembers what it was asked. */
final class StubCoordinator implements Closeable {
  private static final Answer NOTHING =
      Answer.problem(404, "Not found", "no such path; GET / lists those that there are");

  private final HttpServer server;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  /** What is answered. */
  record Answer(int status, String contentType, String body) {
    static Answer problem(int status, String title, String detail) {
      return new Answer(
          status,
          "application/problem+json",
          ("{\"type\":\"about:blank\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\","
                  + "\"instance\":\"/\"}")
              .formatted(title, status, detail));
    }
  }

  /** What was asked: {@code "GET /v1/agents"}. */
  record Asked(String what, String contentType, String body) {}

  StubCoordinator() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Answers a question, {@code "GET /v1/agents"}, with JSON from now on. */
  StubCoordinator on(String question, String json) {
    return on(question, new Answer(200, "application/json", json));
  }

  StubCoordinator on(String question, Answer answer) {
    answers.put(question, answer);
    return this;
  }

  List<Asked> asked() {
    return asked;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String what = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    asked.add(new Asked(what, type == null ? "" : type, body));
    Answer answer = answers.getOrDefault(what, NOTHING);
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", answer.contentType());
    exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
