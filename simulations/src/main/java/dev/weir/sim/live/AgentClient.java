package dev.weir.sim.live;

import dev.weir.sim.trace.Arrival;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks one agent, over connections that are kept. Safe for use by several threads. */
public final class AgentClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final HttpClient http;
  private final URI decisions;
  private final Question question;

  /** A client of the agent at {@code agent}, such as {@code http://127.0.0.1:8080}. */
  public AgentClient(HttpClient http, URI agent, Question question) {
    this.http = http;
    this.decisions = agent.resolve("/v1/decisions");
    this.question = question;
  }

  /**
   * Sends the arrivals as one batch and does not wait.
   *
   * @return for each arrival whether it was admitted; fails if no answer came, or not one that can
   *     be read
   */
  public CompletableFuture<boolean[]> decide(List<Arrival> arrivals) {
    HttpRequest request =
        HttpRequest.newBuilder(decisions)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(DecisionJson.request(question, arrivals)))
            .build();
    return http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
        .thenApply(response -> verdicts(response, arrivals.size()));
  }

  private boolean[] verdicts(HttpResponse<byte[]> response, int expected) {
    if (response.statusCode() != 200) {
      throw new UncheckedIOException(
          new IOException(decisions + " answered " + response.statusCode()));
    }
    try {
      return DecisionJson.allowed(response.body(), expected);
    } catch (IOException e) {
      throw new UncheckedIOException(decisions + " answered what cannot be read", e);
    }
  }
}
