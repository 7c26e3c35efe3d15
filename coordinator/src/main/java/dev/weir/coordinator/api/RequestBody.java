package dev.weir.coordinator.api;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/**
 * Reads the body of a request as the bytes it is, before the handlers that follow. Vert.x's own
 * handler takes it for a form where the content type says so, as {@code curl -d} does of anything.
 */
final class RequestBody implements Handler<RoutingContext> {
  private static final String KEY = RequestBody.class.getName();

  private final int bytesMax;

  /** Refuses what is longer with status 413, and what is packed with 415. */
  RequestBody(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Returns the body; empty where there is none. */
  static Buffer of(RoutingContext context) {
    Buffer body = context.get(KEY);
    return body == null ? Buffer.buffer() : body;
  }

  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (encoding != null && !encoding.strip().equalsIgnoreCase("identity")) {
      context.fail(415);
      return;
    }
    if (declaredBytes(request) > bytesMax) {
      context.fail(413);
      return;
    }
    Reading reading = new Reading(context);
    request.handler(reading::more).endHandler(end -> reading.end()).exceptionHandler(reading::lost);
    if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
      var unused = context.response().writeContinue();
    }
  }

  private static long declaredBytes(HttpServerRequest request) {
    String length = request.getHeader("Content-Length");
    // What is not a number Vert.x has refused.
    return length != null && length.matches("[0-9]{1,18}") ? Long.parseLong(length) : 0;
  }

  /** One body, on the event loop of its connection. */
  private final class Reading {
    private final RoutingContext context;
    private final Buffer body = Buffer.buffer();
    private boolean done;

    Reading(RoutingContext context) {
      this.context = context;
    }

    void more(Buffer part) {
      if (done) {
        return;
      }
      if (part.length() > bytesMax - body.length()) {
        done = true;
        context.fail(413);
      } else {
        body.appendBuffer(part);
      }
    }

    void end() {
      if (!done) {
        done = true;
        context.put(KEY, body);
        context.next();
      }
    }

    void lost(Throwable why) {
      if (!done) {
        done = true;
        context.fail(400, why);
      }
    }
  }
}
