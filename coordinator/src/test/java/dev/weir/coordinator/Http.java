package dev.weir.coordinator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Asks a coordinator over a real socket. */
final class Http {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final String base;

  Http(String base) {
    this.base = base;
  }

  /** An answer. */
  record Answer(int status, String etag, String type, String text) {
    JsonNode json() throws IOException {
      return JSON.readTree(text);
    }

    byte[] bytes() {
      return text.getBytes(UTF_8);
    }
  }

  URI uri(String path) {
    return URI.create(base + path);
  }

  static HttpClient client() {
    return CLIENT;
  }

  Answer get(String path) throws Exception {
    return send("GET", path, null);
  }

  Answer delete(String path, String... headers) throws Exception {
    return send("DELETE", path, null, headers);
  }

  Answer put(String path, String body, String... headers) throws Exception {
    return send("PUT", path, body.getBytes(UTF_8), headers);
  }

  Answer post(String path, byte[] body) throws Exception {
    return send("POST", path, body);
  }

  Answer post(String path, String body) throws Exception {
    return post(path, body.getBytes(UTF_8));
  }

  /** As {@code curl -d} sends it, or whatever content type is given. */
  Answer post(String path, String body, String contentType) throws Exception {
    return send("POST", path, body.getBytes(UTF_8), "Content-Type", contentType);
  }

  private Answer send(String method, String path, byte @Nullable [] body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .timeout(Duration.ofSeconds(20))
            .method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    var response = CLIENT.send(request.build(), BodyHandlers.ofString());
    return new Answer(
        response.statusCode(),
        response.headers().firstValue("ETag").orElse(""),
        response.headers().firstValue("Content-Type").orElse(""),
        response.body());
  }
}
