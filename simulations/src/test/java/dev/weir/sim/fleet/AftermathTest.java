package dev.weir.sim.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That the judge of what comes after faults sees it when something is missing. */
class AftermathTest {
  private static final List<Region> REGIONS = List.of(new Region("r0", 1), new Region("r1", 1));
  private static final QuotaSpec QUOTA = Timeline.quota(100, 100, 100_000, 2);

  private static List<String> broken(QuotaSpec expected) {
    Timeline play = new Timeline(Rules.ALL, QUOTA, REGIONS.toArray(new Region[0]));
    play.greedy("r0").at(3).cut("r0").idle("r0").at(5);
    return new Aftermath(play.fleet, List.of("r0", "r1"), play::starts).judge(expected, REGIONS);
  }

  @Test
  void allOfAQuotaComesBackAfterACut() {
    assertThat(broken(QUOTA)).isEmpty();
  }

  @Test
  void aQuotaOfWhichThereIsTooLittleIsSeen() {
    QuotaSpec twice = Timeline.quota(200, 200, 100_000, 2);
    assertThat(broken(twice))
        .anySatisfy(text -> assertThat(text).contains("is lost for ever: pool 90.000/s 90.000"))
        .anySatisfy(text -> assertThat(text).contains("get 50."));
  }
}
