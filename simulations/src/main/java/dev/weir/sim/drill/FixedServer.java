package dev.weir.sim.drill;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A Vert.x server on one event loop that gives every request the same answer: what serving costs
 * without deciding anything. A process of its own.
 */
public final class FixedServer {
  private FixedServer() {}

  /**
   * Serves until it is killed.
   *
   * @param args the port, and the file of the answer
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    int port = Integer.parseInt(args[0]);
    Answer answer = Answer.read(Path.of(args[1]));
    Buffer body = Buffer.buffer(answer.body());
    List<CharSequence> names = new ArrayList<>();
    List<CharSequence> values = new ArrayList<>();
    for (Map.Entry<String, String> header : answer.headers().entrySet()) {
      names.add(HttpHeaders.createOptimized(header.getKey()));
      values.add(HttpHeaders.createOptimized(header.getValue()));
    }
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    var unused =
        vertx
            .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(port))
            .requestHandler(
                request -> {
                  var response = request.response().setStatusCode(answer.status());
                  for (int i = 0; i < names.size(); i++) {
                    response.putHeader(names.get(i), values.get(i));
                  }
                  Future<Void> unusedSent = response.end(body);
                })
            .listen()
            .onSuccess(server -> System.out.println("fixed ready on http://127.0.0.1:" + port))
            .onFailure(
                failure -> {
                  System.err.println("fixed: " + failure.getMessage());
                  System.exit(1);
                });
    new CountDownLatch(1).await();
  }
}
