package dev.weir.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.sim.scenario.ShippedScenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir sim replay} as a user types it. */
class ReplayCommandTest {
  private final Typed typed = new Typed(new ReplayCommand());

  @TempDir Path folder;

  private int replay(String... arguments) {
    return typed.run(arguments);
  }

  @Test
  void theScenariosThatShipAreListed() {
    assertThat(replay("--list")).isZero();
    assertThat(typed.out()).contains(ShippedScenarios.NAMES);
  }

  @Test
  void aScenarioEndsWithATableAndWithTheNamesAllSimulationsShare() throws IOException {
    Path json = folder.resolve("out.json");
    assertThat(replay("--scenario", "region-shift", "--json", json.toString())).isZero();
    assertThat(typed.out()).contains("us-east", "total", "utilisation", "The bound held.");
    JsonNode found = new ObjectMapper().readTree(json.toFile());
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
      assertThat(found.has(name)).as(name).isTrue();
    }
    assertThat(found.get("regions").get("eu-west").get("oraclePerSlot").size()).isEqualTo(60);
  }

  @Test
  void whatDoesNotComeTrueIsSaidAndIsExitCodeOne() throws IOException {
    Path file = folder.resolve("hard.yaml");
    Files.writeString(
        file,
        ShippedScenarios.text("quota-cut")
            .replace("length: 90s", "length: 40s")
            .replaceAll("(?s)  - at: 60s.*expect:", "expect:\n  utilisationAtLeast: 100%"));
    assertThat(replay("--scenario", file.toString())).isEqualTo(1);
    assertThat(typed.out()).contains("NOT AS EXPECTED: utilisation was to be at least 100.0 %");
  }

  @Test
  void aBadFileIsExitCodeOneWithThePlace() throws IOException {
    Path file = folder.resolve("bad.yaml");
    Files.writeString(file, "descripton: x\n");
    assertThat(replay("--scenario", file.toString())).isEqualTo(1);
    assertThat(typed.err())
        .contains("bad.yaml:1:1: unknown key", "(did you mean \"description\"?)");
  }

  @Test
  void wrongUsageIsExitCodeTwo() {
    assertThat(replay()).isEqualTo(2);
    assertThat(replay("--scenario", "region-shift", "--strategy", "lucky")).isEqualTo(2);
    assertThat(typed.err()).contains("no strategy is called lucky; there are leased");
  }

  @Test
  void aTraceWithoutQuotasGetsOneThatItsBusiestMinuteExceeds() throws IOException {
    Path trace = folder.resolve("trace.csv");
    StringBuilder rows = new StringBuilder("time,region,key,count\n");
    for (int second = 0; second < 180; second++) {
      rows.append(second).append(",east,a,100\n").append(second).append(",west,b,20\n");
    }
    Files.writeString(trace, rows);
    assertThat(replay("--trace", trace.toString())).isZero();
    assertThat(typed.out()).contains("21,600", "The bound held.");
  }

  @Test
  void aTraceIsReplayedUnderTheQuotasOfAFile() throws IOException {
    Path trace = folder.resolve("trace.csv");
    Files.writeString(trace, "time,region,key,count\n0,east,a,50\n1,west,b,5\n2,east,a,50\n");
    Path quotas = folder.resolve("quotas.yaml");
    Files.writeString(
        quotas,
        """
        domain: shop
        regions: {east: {}}
        quotas:
          - {name: per-user, match: [{key: user}], limit: 20/s, burst: 20, maxCost: 1}
        """);
    assertThat(replay("--trace", trace.toString(), "--quota", quotas.toString(), "--key", "user"))
        .isZero();
    assertThat(typed.out()).contains("per-user", "in 2 buckets");
  }

  @Test
  void theSameSeedIsTheSameBytesInAnotherJvm() throws IOException, InterruptedException {
    Path here = folder.resolve("here.json");
    assertThat(replay("--scenario", "region-shift", "--seed", "9", "--json", here.toString()))
        .isZero();
    Path there = folder.resolve("there.json");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.weir.sim.SimMain"));
    command.addAll(
        List.of(
            "sim", "replay", "--scenario", "region-shift", "--seed", "9", "--json", "" + there));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(there).hasSameBinaryContentAs(here);
  }
}
