package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks one coordinator over HTTP. Whatever is not the answer becomes a {@link CtlException}. */
final class CoordinatorClient {
  private final String base;
  private final Duration timeout;
  private final HttpClient http;

  private CoordinatorClient(String base, Duration timeout) {
    this.base = base;
    this.timeout = timeout;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout)
            .build();
  }

  /**
   * A client of the coordinator at an address.
   *
   * @param url {@code http://host:port}; without a scheme http is meant
   * @param timeout for one answer
   */
  static CoordinatorClient of(String url, Duration timeout) throws CtlException {
    String full = url.contains("://") ? url : "http://" + url;
    String base = full.endsWith("/") ? full.substring(0, full.length() - 1) : full;
    try {
      URI uri = new URI(base);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (http && uri.getHost() != null && uri.getQuery() == null && uri.getFragment() == null) {
        return new CoordinatorClient(base, timeout);
      }
    } catch (URISyntaxException notOne) {
      // Said below, together with what merely is none of ours.
    }
    throw CtlException.wrongUsage(
        "--coordinator is not an address, as in " + Ctl.DEFAULT_URL + ": \"" + url + "\"");
  }

  /**
   * Returns what a path answers.
   *
   * @param path from {@code /v1} on, encoded
   */
  JsonNode get(String path) throws CtlException, InterruptedException {
    return answer(request(path).GET().build());
  }

  /** Returns what a path answers to a word without a body. */
  JsonNode post(String path) throws CtlException, InterruptedException {
    return answer(request(path).POST(BodyPublishers.noBody()).build());
  }

  /** Returns what a path answers to a text. */
  JsonNode post(String path, String contentType, String text)
      throws CtlException, InterruptedException {
    BodyPublisher body = BodyPublishers.ofString(text, StandardCharsets.UTF_8);
    return answer(request(path).header("Content-Type", contentType).POST(body).build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path))
        .timeout(timeout)
        .header("Accept", "application/json, application/problem+json")
        .header("User-Agent", "weir-ctl");
  }

  private JsonNode answer(HttpRequest request) throws CtlException, InterruptedException {
    HttpResponse<String> response;
    try {
      response = http.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException failed) {
      throw CtlException.notReached(
          "the coordinator at "
              + base
              + " was not reached: "
              + reason(failed)
              + ". Is it running? --coordinator names another");
    }
    return Refusal.orAnswer(request, response);
  }

  private String reason(IOException failed) {
    if (failed instanceof HttpTimeoutException) {
      return "no answer within " + timeout.toSeconds() + " s";
    }
    if (isUnresolved(failed)) {
      return "there is no such host";
    }
    String message = failed.getMessage();
    if (message != null && !message.isEmpty()) {
      return message;
    }
    return failed instanceof ConnectException
        ? "connection refused"
        : failed.getClass().getSimpleName();
  }

  private static boolean isUnresolved(Throwable failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return true;
      }
    }
    return false;
  }
}
