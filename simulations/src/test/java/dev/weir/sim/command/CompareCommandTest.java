package dev.weir.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir sim compare} as a user types it. */
class CompareCommandTest {
  private final Typed typed = new Typed(new CompareCommand());

  @TempDir Path folder;

  private int compare(String... arguments) {
    return typed.run(arguments);
  }

  @Test
  void oneLoadIsShownUnderEveryWay() {
    assertThat(compare("--scenario", "region-shift")).isZero();
    assertThat(typed.out())
        .startsWith("region-shift\n")
        .contains("leased", "static-split", "each-alone", "central", "strict", "gossip", "doorman");
  }

  @Test
  void theSameSeedGivesTheSameBytesHoweverManyThreadsThereAre() throws IOException {
    Path first = folder.resolve("first.json");
    Path second = folder.resolve("second.json");
    String[] ways = {"--scenario", "region-shift", "--strategy", "leased,gossip", "--markdown"};
    assertThat(compare(with(ways, first))).isZero();
    assertThat(compare(with(ways, second))).isZero();
    assertThat(second).hasSameBinaryContentAs(first);
    assertThat(Files.readString(first)).contains("\"strategy\" : \"gossip\"");
    assertThat(typed.out()).contains("| leased | ", "**region-shift**");
  }

  private static String[] with(String[] arguments, Path json) {
    String[] all = Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--json";
    all[arguments.length + 1] = json.toString();
    return all;
  }

  @Test
  void aWayThatThereIsNotIsRefusedWithThoseThatThereAre() {
    assertThat(compare("--scenario", "region-shift", "--strategy", "magic")).isEqualTo(2);
    assertThat(typed.err()).contains("no strategy is called magic").contains("doorman-100ms");
  }

  /** Whoever a row describes by descriptors is told apart by them. */
  @Test
  void tracesAreComparedByWhatTheirRowsSay() throws IOException {
    Path trace = folder.resolve("calls.jsonl");
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      String tenant = i % 2 == 0 ? "acme" : "zeta";
      rows.append("{\"ts\": " + (1_754_006_400L + i / 40) + ", \"region\": \"eu-west\",")
          .append(" \"descriptors\": {\"tenant\": \"" + tenant + "\"}}\n");
    }
    Files.writeString(trace, rows);
    Path quotas = folder.resolve("quotas.yaml");
    Files.writeString(
        quotas,
        """
        domain: shop
        regions: {eu-west: {}}
        quotas:
          - {name: acme, match: [{key: tenant, value: acme}], limit: 1/s, burst: 1}
        """);
    assertThat(
            compare(
                "--trace",
                trace.toString(),
                "--quota",
                quotas.toString(),
                "--strategy",
                "central",
                "--json",
                folder.resolve("out.json").toString()))
        .as(typed.err())
        .isZero();
    // Of 200 of acme's ten or eleven are admitted, and all of zeta's.
    assertThat(Files.readString(folder.resolve("out.json")))
        .containsPattern("\"admitted\" : 21[01]");
  }

  @Test
  void somethingMustBeCompared() {
    assertThat(compare()).isEqualTo(2);
    assertThat(typed.err()).contains("say either --scenario or --trace");
  }
}
