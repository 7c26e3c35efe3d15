package dev.weir.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.core.bound.Overshoot;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTest {
  @Test
  void theTableShowsRegionsTotalOracleAndBound() {
    assertThat(ResultText.of(Runs.plain()))
        .isEqualTo(
            """
            tokens                  asked     admitted      refused
            eu-west                   300          300            0
            us-east                 1,000          475          525
            total                   1,300          775          525

            central bucket          1,300          800          500
            Of what one central bucket admits of the same arrivals, Weir admitted 96.9 %;
            less the floors of quiet regions (25 tokens): 100.0 %.

            bound public-api B + R(1+rho)t with B = 50, R = 100/s, rho = 0.0005
              overshoot      0 tokens, in every window of 775 admissions
              tightest       247 of at most 250 tokens in 2.00 s
            The bound held.
            """);
  }

  @Test
  void aBrokenBoundIsSaidLoudly() {
    String text = ResultText.of(Runs.run(new Overshoot(1_500_000, 0, 0, 51_500_000), 775));
    assertThat(text)
        .contains("overshoot      1.5 tokens")
        .endsWith("THE BOUND DID NOT HOLD.\n")
        .doesNotContain("The bound held");
  }

  @Test
  void evidenceThatIsMissingIsSaid() {
    assertThat(ResultText.of(Runs.run(new Overshoot(0, 0, 0, 0), 10)))
        .contains("The bound cannot be judged: agents answered that they admitted 775 tokens");
  }

  @Test
  void theJsonHasTheNamesAllSimulationsShare() {
    JsonNode json = ResultJson.of(Runs.plain());
    for (String name :
        List.of(
            "admitted",
            "refused",
            "oracleAdmitted",
            "utilisation",
            "falseRefusals",
            "overshootTokens",
            "boundTokens",
            "boundHeld",
            "convergenceMs",
            "jain",
            "syncMessages",
            "seed")) {
      assertThat(json.has(name)).as(name).isTrue();
    }
    assertThat(json.path("syncMessages").asLong()).isEqualTo(200);
    assertThat(json.path("jain").isNull()).as("never two that wanted more").isTrue();
    assertThat(json.path("regions").path("us-east").path("refused").asLong()).isEqualTo(525);
    assertThat(json.path("quotas").path("public-api").path("overshootTokens").asDouble()).isZero();
    assertThat(json.path("boundHeld").asBoolean()).isTrue();
  }
}
