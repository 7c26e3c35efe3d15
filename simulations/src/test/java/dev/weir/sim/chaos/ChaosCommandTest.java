package dev.weir.sim.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.sim.fleet.Chaos.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** {@code weir sim chaos} as a user types it. */
class ChaosCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

  private int chaos(String... arguments) {
    return new CommandLine(new ChaosCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  void whereNothingBreaksItSaysSoAndCountsWhatWentWrong() throws IOException {
    Path json = folder.resolve("found.json");
    assertThat(chaos("--seeds", "30", "--json", json.toString())).isZero();
    assertThat(out.toString())
        .contains("No window admitted more than its bound", "seeds 0 to 29", "messages lost");
    JsonNode found = new ObjectMapper().readTree(json.toFile());
    assertThat(found.get("boundHeld").asBoolean()).isTrue();
    assertThat(found.get("overshootTokens").asDouble()).isZero();
    assertThat(found.get("fleets").asLong()).isEqualTo(30);
    assertThat(found.get("admitted").asLong()).isPositive();
    assertThat(found.get("syncMessages").asLong()).isPositive();
    assertThat(found.get("faults").get("cuts").asLong()).isPositive();
    assertThat(found.has("failure")).isFalse();
  }

  static Stream<String> rules() {
    return Arrays.stream(Clause.values()).map(Clause::rule).distinct();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void withoutAnyOneRuleSomethingBreaks(String rule) {
    assertThat(chaos("--seeds", "20", "--break", rule)).isEqualTo(1);
    assertThat(out.toString()).contains("switched off      " + rule, "Repeat with: deploy/weir");
  }

  @Test
  void whatFailedIsRepeatedByTheCommandItNamesAndIsMadeSmaller() throws IOException {
    Path json = folder.resolve("found.json");
    assertThat(chaos("--seeds", "50", "--break", "s6", "--json", json.toString())).isEqualTo(1);
    JsonNode failure = new ObjectMapper().readTree(json.toFile()).get("failure");
    long seed = failure.get("seed").asLong();
    String repeat = "sim chaos --from " + seed + " --seeds 1 --break S6";
    assertThat(out.toString())
        .contains("seed " + seed + " breaks", "Repeat with: deploy/weir " + repeat);
    assertThat(failure.get("smallest").get("strikes").size())
        .isLessThan(failure.get("strikes").asInt());

    Path again = folder.resolve("again.json");
    String[] arguments = {
      "--from", "" + seed, "--seeds", "1", "--break", "S6", "--json", again.toString()
    };
    assertThat(chaos(arguments)).isEqualTo(1);
    assertThat(new ObjectMapper().readTree(again.toFile()).get("failure")).isEqualTo(failure);
  }

  @Test
  void aFailureIsMadeSmallerAndStillFails() throws InterruptedException {
    Rules rules = Rules.withoutRule("S9");
    Outcome failure =
        Objects.requireNonNull(new ChaosRun(0, 50, rules).play(2, played -> {}).failure());
    Shrinking.Small small = Shrinking.of(failure, rules);
    assertThat(small.outcome().held()).isFalse();
    assertThat(small.strikes()).isNotEmpty().hasSizeLessThan(failure.strikes().size());
  }

  @Test
  void whereNothingBreaksWithoutARuleThatIsSaidPlainly() {
    assertThat(chaos("--seeds", "1", "--break", "S12_ALL_OR_NOTHING")).isZero();
    assertThat(out.toString()).contains("NOTHING BROKE without S12_ALL_OR_NOTHING");
  }

  @Test
  void theSameSeedsAreTheSameBytesInAnotherJvmAndOnMoreThreads()
      throws IOException, InterruptedException {
    Path here = folder.resolve("here.json");
    assertThat(chaos("--seeds", "40", "--threads", "1", "--json", here.toString())).isZero();
    Path there = folder.resolve("there.json");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.weir.sim.SimMain"));
    command.addAll(
        List.of("sim", "chaos", "--seeds", "40", "--threads", "3", "--json", there.toString()));
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
    assertThat(Files.readString(here)).endsWith("}\n").doesNotContain("\r");
  }
}
