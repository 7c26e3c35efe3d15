package dev.weir.sim.live;

import dev.weir.core.quota.QuotaId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Asks the coordinator again and again who holds what of one quota, in a thread of its own, until
 * closed.
 */
public final class LeaseWatch implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final HttpClient http;
  private final HttpRequest request;
  private final long startNanos = System.nanoTime();
  private final List<LeaseSample> samples = new ArrayList<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "lease-watch");
            thread.setDaemon(true);
            return thread;
          });

  private LeaseWatch(HttpClient http, URI coordinator, QuotaId quota) {
    this.http = http;
    this.request =
        HttpRequest.newBuilder(
                coordinator.resolve(
                    "/v1/domains/" + quota.domain() + "/quotas/" + quota.name() + "/leases"))
            .timeout(TIMEOUT)
            .build();
  }

  /** Watches {@code quota} at the coordinator from now on; samples count their time from now. */
  public static LeaseWatch start(HttpClient http, URI coordinator, QuotaId quota, Duration period) {
    LeaseWatch watch = new LeaseWatch(http, coordinator, quota);
    var unused =
        watch.timer.scheduleWithFixedDelay(watch::ask, 0, period.toNanos(), TimeUnit.NANOSECONDS);
    return watch;
  }

  private void ask() {
    long atNanos = System.nanoTime() - startNanos;
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() == 200) {
        LeaseSample sample = LeaseJson.sample(atNanos, response.body());
        synchronized (samples) {
          samples.add(sample);
        }
      }
    } catch (IOException e) {
      // The plot shows the last sample until the next: better than no demo.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What was seen so far. */
  public List<LeaseSample> samples() {
    synchronized (samples) {
      return List.copyOf(samples);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
