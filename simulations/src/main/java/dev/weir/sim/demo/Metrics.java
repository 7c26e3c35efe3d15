package dev.weir.sim.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** What a process says under {@code /metrics}, in the text format of Prometheus. */
public final class Metrics {
  private final Map<String, Double> series;

  private Metrics(Map<String, Double> series) {
    this.series = series;
  }

  /**
   * Asks a process.
   *
   * @param server the address of its port for operators
   */
  public static Metrics of(HttpClient http, URI server)
      throws IOException, FleetException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve("/metrics")).timeout(Duration.ofSeconds(30)).build();
    HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new FleetException(request.uri() + " answered " + response.statusCode());
    }
    return parse(response.body());
  }

  /** Reads an answer. */
  public static Metrics parse(String text) {
    Map<String, Double> series = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      int space = line.lastIndexOf(' ');
      if (space > 0 && !line.startsWith("#")) {
        series.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
      }
    }
    return new Metrics(series);
  }

  /**
   * The sum of all series of one name; empty where there is none.
   *
   * @param label such as {@code area="heap"}; empty for any
   */
  public OptionalDouble sum(String name, String label) {
    double sum = 0;
    boolean any = false;
    for (Map.Entry<String, Double> each : series.entrySet()) {
      String key = each.getKey();
      boolean named = key.equals(name) || key.startsWith(name + "{");
      if (named && key.contains(label)) {
        sum += each.getValue();
        any = true;
      }
    }
    return any ? OptionalDouble.of(sum) : OptionalDouble.empty();
  }
}
