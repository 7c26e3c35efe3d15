package dev.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.coordinator.state.StartWord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents that are refused, or have no floors, are seen, and it is said what to do about them. */
class TroubledAgentsTest {
  @TempDir Path folder;

  /** Data was lost, and the cluster begun without its id: no agent of before is served. */
  @Test
  void agentsOfAnotherClusterAreShownWithWhatToDoAndToldOfOnce() throws Exception {
    try (Coordinator coordinator =
        new Site(folder).start(new StartWord.LostData(null, 1_000_000_000L))) {
      Http http = new Http("http://" + coordinator.http());
      assertThat(http.get("/readyz").json().has("refused")).isFalse();
      for (int seq = 1; seq <= 5; seq++) {
        assertThat(refusedSync(http, "eu-west", 7, seq).status()).isEqualTo(409);
      }
      assertThat(refusedSync(http, "us-east", 3, 1).status()).isEqualTo(409);

      JsonNode agent = http.get("/v1/agents").json().path("agents").path(0);
      assertThat(agent.path("region").asText()).isEqualTo("eu-west");
      assertThat(agent.path("boot").asLong()).isEqualTo(7);
      assertThat(agent.path("seq").asLong()).isEqualTo(5);
      assertThat(agent.path("state").asText()).isEqualTo("refused");
      assertThat(agent.path("status").asText()).isEqualTo("other-cluster");
      assertThat(agent.path("floor").asBoolean()).as("it says that it has one").isTrue();
      assertThat(agent.path("detail").asText())
          .contains("belongs to cluster before", coordinator.cluster())
          .contains("empty its data folder", "--lost-data --cluster-id before");
      JsonNode region = http.get("/v1/regions").json().path("regions").path(0);
      assertThat(region.path("agents").path(0).path("detail")).isEqualTo(agent.path("detail"));

      List<String> told = messages(http, "agent-refused");
      assertThat(told).hasSize(2);
      assertThat(told.get(0)).startsWith("agent eu-west (run 7) is refused: ");
      assertThat(http.get("/readyz").json().path("ready").asBoolean()).isTrue();
      assertThat(http.get("/readyz").json().path("refused").path("agents").asInt()).isEqualTo(2);
      assertThat(http.get("/metrics").text())
          .contains("weir_agents{state=\"refused\"} 2.0")
          .contains("weir_sync_duration_seconds_count{status=\"refused\"} 6");

      // It was started again, and that run joined this cluster.
      assertThat(http.post("/v1/sync", sync("", "eu-west", 8, 1)).status()).isEqualTo(200);
      refusedSync(http, "us-east", 4, 1);
      assertThat(http.get("/v1/agents").json().path("agents").findValuesAsText("boot"))
          .as("of a run that was followed by another nothing is left")
          .doesNotContain("3")
          .contains("8", "4");
      assertThat(messages(http, "agent-refused")).hasSize(3);
    }
  }

  /** Its agent was replaced while it may be alive: the new one has leases only. */
  @Test
  void aRunWithoutFloorsIsToldWhyAndWhatFreesThem() throws Exception {
    try (Coordinator coordinator = new Site(folder).start(new StartWord.FirstStart())) {
      Http http = new Http("http://" + coordinator.http());
      assertThat(http.post("/v1/sync", of("first", 1, 1)).json().has("f")).isTrue();
      for (int seq = 1; seq <= 3; seq++) {
        JsonNode second = http.post("/v1/sync", of("second", 2, seq)).json();
        assertThat(second.has("f")).isFalse();
        assertThat(second.path("e").asText())
            .startsWith("run 1, of another data folder, may still use the floors")
            .contains("weir ctl release-floor eu-west");
      }
      JsonNode agent = http.get("/v1/agents").json().path("agents").path(0);
      assertThat(agent.path("boot").asLong()).isEqualTo(2);
      assertThat(agent.path("state").asText()).isEqualTo("alive");
      assertThat(agent.path("floor").asBoolean()).isFalse();
      assertThat(agent.path("detail").asText()).contains("weir ctl release-floor eu-west");
      assertThat(messages(http, "floor-withheld"))
          .singleElement()
          .asString()
          .startsWith("agent eu-west (run 2) has no floors: run 1, ");

      assertThat(http.post("/v1/regions/eu-west/release-floor", "").status()).isEqualTo(200);
      JsonNode given = http.post("/v1/sync", of("second", 2, 4)).json();
      assertThat(given.has("f")).isTrue();
      assertThat(given.has("e")).isFalse();
      assertThat(http.get("/v1/agents").json().path("agents").path(0).has("detail")).isFalse();
    }
  }

  private static List<String> messages(Http http, String kind) throws Exception {
    List<String> messages = new ArrayList<>();
    for (JsonNode event : http.get("/v1/events").json().path("events")) {
      if (event.path("kind").asText().equals(kind)) {
        messages.add(event.path("message").asText());
      }
    }
    return messages;
  }

  private static Http.Answer refusedSync(Http http, String region, int boot, int seq)
      throws Exception {
    return http.post("/v1/sync", sync("before", region, boot, seq));
  }

  private static String sync(String cluster, String region, int boot, int seq) {
    return "{\"c\":\"%s\",\"r\":\"%s\",\"b\":%d,\"s\":%d,\"d\":\"x\",\"f\":9}"
        .formatted(cluster, region, boot, seq);
  }

  private static String of(String dataFolder, int boot, int seq) {
    return "{\"r\":\"eu-west\",\"d\":\"%s\",\"b\":%d,\"s\":%d}".formatted(dataFolder, boot, seq);
  }
}
