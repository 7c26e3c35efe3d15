package dev.weir.agent.sync;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.protocol.Parsed;
import dev.weir.protocol.Wire;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/sync} over connections that are kept. */
final class HttpTransport implements Transport {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int SHOWN_CHARS = 600;

  private final List<String> addresses;
  private final Duration timeout;
  private final ExecutorService threads;
  private final HttpClient client;
  private int current;

  /**
   * Connects to nothing yet.
   *
   * @param addresses {@code http://host:port}, at least one
   */
  HttpTransport(List<String> addresses, long timeoutNanos) {
    this.addresses = List.copyOf(addresses);
    this.timeout = Duration.ofNanos(timeoutNanos);
    this.threads =
        Executors.newFixedThreadPool(
            2,
            task -> {
              Thread thread = new Thread(task, "weir-http");
              thread.setDaemon(true);
              return thread;
            });
    // Version 1.1: an upgrade would be offered, and refused, with every new connection.
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout)
            .followRedirects(HttpClient.Redirect.NEVER)
            .executor(threads)
            .build();
  }

  @Override
  public void send(SyncRequest request, Consumer<Reply> onReply) {
    HttpRequest http =
        HttpRequest.newBuilder(URI.create(address() + "/v1/sync"))
            .timeout(timeout)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(Wire.encode(request)))
            .build();
    CompletableFuture<Void> unused =
        client
            .sendAsync(http, BodyHandlers.ofByteArray())
            .handle(HttpTransport::reply)
            .thenAccept(onReply);
  }

  @Override
  public void turn() {
    current = (current + 1) % addresses.size();
  }

  @Override
  public String address() {
    return addresses.get(current);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private static Reply reply(@Nullable HttpResponse<byte[]> response, @Nullable Throwable failure) {
    if (response == null) {
      return new Reply.Failed(failure == null ? "no answer" : reason(failure));
    }
    if (response.statusCode() != 200) {
      return new Reply.Refused("status " + response.statusCode() + ", " + said(response.body()));
    }
    Parsed<SyncAnswer> answer = Wire.answer(response.body());
    return answer instanceof Parsed.Message<SyncAnswer> good
        ? new Reply.Answered(good.value())
        : new Reply.Failed("an answer that cannot be read: " + answer);
  }

  private static String reason(Throwable thrown) {
    Throwable failure =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    if (failure instanceof HttpTimeoutException) {
      return "no answer in time";
    }
    if (failure instanceof ConnectException) {
      return "no connection";
    }
    String message = failure.getMessage();
    return failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  /** What a problem says is wrong; of anything else the beginning. */
  private static String said(byte[] body) {
    String detail = detail(body);
    String text = detail == null ? new String(body, StandardCharsets.UTF_8).strip() : detail;
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
  }

  private static @Nullable String detail(byte[] body) {
    try (JsonParser json = JSON.createParser(body)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean isDetail = json.currentName().equals("detail");
        if (json.nextToken() == JsonToken.VALUE_STRING && isDetail) {
          return json.getText();
        }
        json.skipChildren();
      }
      return null;
    } catch (IOException notJson) {
      return null;
    }
  }
}
