package dev.weir.sim.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.sun.net.httpserver.HttpServer;
import dev.weir.core.quota.QuotaId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LeaseWatchTest {
  private static final String ANSWER =
      """
      {"pool": {"tokensPerSecond": 10, "burst": 4, "level": 2},
       "agents": [
         {"region": "eu-west", "boot": 1, "held": {"tokensPerSecond": 120.5, "burst": 3}},
         {"region": "eu-west", "boot": 2, "held": {"tokensPerSecond": 9.5, "burst": 3}},
         {"region": "us-east", "boot": 1, "held": {"tokensPerSecond": 0, "burst": 0}}]}
      """;

  @Test
  void whatAgentsHoldIsAddedUpPerRegion() throws IOException {
    LeaseSample sample = LeaseJson.sample(7, ANSWER.getBytes(StandardCharsets.UTF_8));
    assertThat(sample.atNanos()).isEqualTo(7);
    assertThat(sample.leasedPerSecond())
        .containsOnly(entry("eu-west", 130.0), entry("us-east", 0.0));
  }

  @Test
  void anythingElseIsAnErrorOrNobody() throws IOException {
    assertThat(LeaseJson.sample(0, "{}".getBytes(StandardCharsets.UTF_8)).leasedPerSecond())
        .isEmpty();
    assertThatThrownBy(() -> LeaseJson.sample(0, "<html>".getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void itAsksAgainAndAgainAndGoesOnAfterAnError() throws IOException, InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch enough = new CountDownLatch(4);
    HttpServer coordinator =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    coordinator.createContext(
        "/v1/domains/shop/quotas/public-api/leases",
        exchange -> {
          byte[] answer = ANSWER.getBytes(StandardCharsets.UTF_8);
          int status = asked.incrementAndGet() == 2 ? 503 : 200;
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
          enough.countDown();
        });
    coordinator.start();
    URI url = URI.create("http://127.0.0.1:" + coordinator.getAddress().getPort());
    List<LeaseSample> samples;
    try (LeaseWatch watch =
        LeaseWatch.start(
            HttpClient.newHttpClient(),
            url,
            new QuotaId("shop", "public-api"),
            Duration.ofMillis(1))) {
      enough.await();
      samples = watch.samples();
    } finally {
      coordinator.stop(0);
    }
    // Of four answers one was an error, and the last may still be on its way.
    assertThat(samples).hasSizeGreaterThanOrEqualTo(2);
    assertThat(samples).extracting(LeaseSample::atNanos).isSorted();
  }
}
