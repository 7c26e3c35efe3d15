package dev.weir.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class FirstRequestsTest {
  @Test
  void bothWaysToAskAreGoneOnce() throws IOException {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          byte[] body = exchange.getRequestBody().readAllBytes();
          asked.add(new String(body, StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      FirstRequests.make("0.0.0.0", server.getAddress().getPort(), "own");
    } finally {
      server.stop(0);
    }
    assertThat(asked)
        .containsExactly(
            "GET /v1/check?cost=0&d.first=request&domain=own",
            "",
            "POST /v1/decisions",
            "{\"requests\":[{\"descriptors\":{\"first\":\"request\"},\"cost\":0,\"domain\":\"own\"}]}");
  }

  @Test
  void whereNobodyAnswersTheAgentStartsAllTheSame() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    assertThatCode(() -> FirstRequests.make("127.0.0.1", free, "own")).doesNotThrowAnyException();
  }
}
