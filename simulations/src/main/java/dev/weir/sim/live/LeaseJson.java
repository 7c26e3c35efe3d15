package dev.weir.sim.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** The answer of {@code GET /v1/domains/{d}/quotas/{q}/leases}, as far as a plot needs it. */
final class LeaseJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private LeaseJson() {}

  /** What each region's agents hold, added up per region. */
  static LeaseSample sample(long atNanos, byte[] body) throws IOException {
    Map<String, Double> leased = new TreeMap<>();
    for (JsonNode agent : JSON.readTree(body).path("agents")) {
      double held = agent.path("held").path("tokensPerSecond").asDouble();
      leased.merge(agent.path("region").asText(), held, Double::sum);
    }
    return new LeaseSample(atNanos, leased);
  }
}
