package dev.weir.sim.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.FloorSplit;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.sim.demo.LocalQuotas;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrillQuotasTest {
  @TempDir Path folder;

  @Test
  void theSharedQuotaHasFloorsInEachRegion() throws Exception {
    assertThat(floors(DrillQuotas.SHARED))
        .hasSize(3)
        .allSatisfy((region, floor) -> assertThat(floor.rateMicros()).isEqualTo(33_333_333));
    assertThat(floors(DrillQuotas.SLOW)).hasSize(3);
  }

  @Test
  void aTenantsFirstRequestsFitItsFloor() throws Exception {
    assertThat(floors(DrillQuotas.TENANTS).getOrDefault("eu-west", Share.ZERO).burstMicros())
        .isGreaterThanOrEqualTo(2 * Tokens.MICROS_PER_TOKEN);
    assertThat(floors(DrillQuotas.ABUNDANT)).hasSize(1);
  }

  private Map<String, Share> floors(String yaml) throws Exception {
    Path file = Files.writeString(folder.resolve("quotas.yaml"), yaml);
    DomainBook domain = LocalQuotas.readFile(file).domain();
    QuotaSpec quota = domain.quotas().get(0);
    return FloorSplit.of(quota, domain.regions());
  }
}
