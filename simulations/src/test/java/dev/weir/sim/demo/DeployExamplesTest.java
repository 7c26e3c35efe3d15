package dev.weir.sim.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.AgentSettings;
import dev.weir.config.CoordinatorSettings;
import dev.weir.config.QuotaFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Examples are tests: what {@code deploy/config} shows is what the processes take. */
class DeployExamplesTest {
  private static final Path CONFIG = Path.of("../deploy/config");

  @ParameterizedTest
  @ValueSource(strings = {"demo.yaml", "quotas/shop.yaml"})
  void quotaFilesAreGoodAndWorthNoWarning(String name) throws IOException {
    QuotaFile.Outcome outcome = QuotaFile.read(name, Files.readString(CONFIG.resolve(name)));
    assertThat(outcome).isInstanceOf(QuotaFile.Accepted.class);
    assertThat(outcome.warnings()).isEmpty();
  }

  @Test
  void settingsAreGood() {
    CoordinatorSettings coordinator =
        CoordinatorSettings.read(CONFIG.resolve("coordinator.yaml"), Map.of(), Map.of());
    assertThat(coordinator.quotas()).isDirectory();
    AgentSettings agent = AgentSettings.read(CONFIG.resolve("agent.yaml"), Map.of(), Map.of());
    assertThat(agent.coordinators())
        .containsExactly("http://127.0.0.1:" + coordinator.http().port());
  }
}
