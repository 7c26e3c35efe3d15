package dev.weir.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.ConfigException;
import dev.weir.sim.replay.Leased;
import dev.weir.sim.replay.Replay;
import dev.weir.sim.replay.ReplayResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioReaderTest {
  private static final String GOOD =
      """
      description: a test
      length: 10s
      domain: shop
      regions: {east: {}, west: {}}
      quotas:
        - {name: api, match: [], limit: 100/s}
      load:
        - {region: [east, west], rate: 10/s}
      """;

  static final List<String> NAMES = ShippedScenarios.NAMES;

  private static void refused(String text, String... says) {
    assertThatThrownBy(() -> ScenarioReader.read("test", "test.yaml", text))
        .isInstanceOf(ConfigException.class)
        .message()
        .contains(says);
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void everyShippedScenarioIsGoodAndSaysWhatIsExpected(String name) {
    Scenario scenario = ShippedScenarios.read(name);
    assertThat(scenario.name()).isEqualTo(name);
    assertThat(scenario.description()).isNotBlank();
    assertThat(scenario.expected().boundHeld()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "region-shift",
        "region-failover",
        "flash-crowd",
        "hot-tenant",
        "flapping-link",
        "slow-link",
        "quota-cut",
        "rolling-restart",
        "eleventh-region"
      })
  void whatTheShortOnesExpectComesTrue(String name) {
    Scenario scenario = ShippedScenarios.read(name);
    ReplayResult result =
        new Replay(scenario.plan(), new Leased(), scenario.seed()).play(done -> {});
    assertThat(scenario.expected().missed(result)).isEmpty();
    assertThat(result.total().admitted()).isPositive();
  }

  @Test
  void unknownKeysAreErrorsWithPlaceAndWhatWasProbablyMeant() {
    refused(
        GOOD.replace("length:", "lenght:"),
        "test.yaml:2:1: unknown key \"lenght\" in the scenario (did you mean \"length\"?)");
    refused(
        GOOD + "expect: {utilizationAtLeast: 90%}\n",
        "test.yaml:9",
        "(did you mean \"utilisationAtLeast\"?)");
    refused(
        GOOD + "events: [{at: 1s, crsh: east}]\n",
        "unknown key \"crsh\" in an event (did you mean \"crash\"?)");
  }

  @Test
  void quotasAreReadAsQuotaFilesAre() {
    refused(GOOD.replace("limit: 100/s", "limit: 100/sec"), "did you mean \"100/s\"?");
  }

  @Test
  void regionsAndQuotasThatThereAreNotAreErrors() {
    refused(
        GOOD.replace("[east, west]", "[east, wst]"),
        "test.yaml:8",
        "\"wst\" is none of east, west (did you mean \"west\"?)");
    refused(
        GOOD + "events: [{at: 1s, quota: {name: apy, limit: 5/s}}]\n",
        "\"apy\" is none of api (did you mean \"api\"?)");
    refused(GOOD + "events: [{at: 1s, crash: wets}]\n", "did you mean \"west\"?");
  }

  @Test
  void oneThingHappensAtATimeInOrder() {
    refused(
        GOOD + "events: [{at: 1s, crash: east, drain: west}]\n",
        "one thing for each event, not [crash, drain]");
    refused(
        GOOD + "events: [{at: 2s, crash: east}, {at: 1s, start: east}]\n",
        "events must be in the order of time");
  }

  @Test
  void aRateIsALimitOrOneShape() {
    refused(GOOD.replace("rate: 10/s", "rate: {spyke: {base: 1/s}}"), "(did you mean \"spike\"?)");
    refused(GOOD.replace("rate: 10/s", "rate: {steps: {now: 1/s}}"), "steps: \"now\" is not");
  }

  @Test
  void allThatIsMissingIsSaidAtOnce() {
    refused(
        "domain: shop\nquotas: []\n",
        "the scenario has no \"description\"",
        "the scenario has no \"length\"",
        "the scenario has no \"load\"");
  }
}
