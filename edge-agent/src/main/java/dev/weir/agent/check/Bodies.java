package dev.weir.agent.check;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** Reads bodies, up to a size. */
final class Bodies {
  /** How long the rest of a body that is too large is still taken in, and thrown away. */
  private static final long DRAIN_MILLIS = 1_000;

  private Bodies() {}

  /** Reads the body and goes on with it; answers 413 where it is larger than {@code max} bytes. */
  static void read(HttpServerRequest request, int max, Consumer<Buffer> then) {
    if (declaredLength(request) > max) {
      refuse(request, max);
      return;
    }
    if (HttpHeaders.CONTINUE.toString().equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      Future<Void> unused = request.response().writeContinue();
    }
    Buffer body = Buffer.buffer();
    request.handler(
        chunk -> {
          if (request.response().ended()) {
            return;
          }
          if (body.length() + chunk.length() > max) {
            refuse(request, max);
          } else {
            body.appendBuffer(chunk);
          }
        });
    request.endHandler(
        end -> {
          if (!request.response().ended()) {
            then.accept(body);
          }
        });
  }

  private static long declaredLength(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      return 0;
    }
    try {
      return Long.parseLong(length);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * Answers, and closes the connection only a little later: closed while there is unread input, it
   * would be reset, and the client might never see the answer.
   */
  private static void refuse(HttpServerRequest request, int max) {
    request.handler(chunk -> {});
    request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    Answers.problem(
        request, 413, "Content too large", "A body here has at most " + max + " bytes.");
    long timer = Vertx.currentContext().owner().setTimer(DRAIN_MILLIS, fired -> close(request));
    request.endHandler(
        end -> {
          Vertx.currentContext().owner().cancelTimer(timer);
          close(request);
        });
  }

  private static void close(HttpServerRequest request) {
    Future<Void> unused = request.connection().close();
  }
}
