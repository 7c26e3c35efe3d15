package dev.weir.sim.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.AgentSettings;
import dev.weir.config.CoordinatorSettings;
import dev.weir.sim.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalFilesTest {
  /** Tests run in their module's folder. */
  private static final Path HOME = Path.of("..");

  @Test
  void theShippedQuotasCoverTheShippedTrace() throws IOException, FleetException {
    LocalQuotas quotas = LocalQuotas.read(HOME);
    assertThat(quotas.regions()).containsExactly("eu-west", "us-east", "ap-south");
    assertThat(quotas.regions()).containsAll(TraceReader.shipped().regions());
    assertThat(quotas.shared().id().name()).isEqualTo("public-api");
    assertThat(quotas.question().descriptors("acme"))
        .containsEntry("tenant", "acme")
        .containsEntry("api", "public");
  }

  @Test
  void theProcessesReadTheirSettingsAsTheyAreMeant() throws IOException {
    RunFolder folder = RunFolder.create("test");
    try {
      Settings settings = new Settings(folder, new Ports(9000, 3));
      CoordinatorSettings coordinator =
          CoordinatorSettings.read(settings.writeCoordinator(), Map.of(), Map.of());
      assertThat(coordinator.http().port()).isEqualTo(9000);
      assertThat(coordinator.quotas()).isEqualTo(folder.quotas());

      AgentSettings agent =
          AgentSettings.read(
              settings.writeAgent("us-east", 1, folder.auditOf("us-east")), Map.of(), Map.of());
      assertThat(agent.region()).isEqualTo("us-east");
      assertThat(agent.coordinators()).containsExactly("http://127.0.0.1:9000");
      assertThat(agent.http().port()).isEqualTo(9020);
      assertThat(agent.grpc().port()).isEqualTo(9021);
      assertThat(agent.admin().port()).isEqualTo(9022);
      assertThat(agent.auditFile()).isEqualTo(folder.auditOf("us-east"));
      assertThat(
              AgentSettings.read(settings.writeAgent("eu-west", 0, null), Map.of(), Map.of())
                  .auditFile())
          .isNull();
    } finally {
      folder.clean();
    }
    assertThat(folder.top()).doesNotExist();
  }

  @Test
  void cleaningLeavesTheReport() throws IOException {
    RunFolder folder = RunFolder.create("test");
    Path report = Files.writeString(folder.top().resolve("report.html"), "x");
    folder.clean();
    assertThat(folder.run()).doesNotExist();
    assertThat(report).exists();
    Files.delete(report);
    Files.delete(folder.top());
  }
}
