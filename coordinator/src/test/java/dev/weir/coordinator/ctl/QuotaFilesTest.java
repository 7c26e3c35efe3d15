package dev.weir.coordinator.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.config.QuotaFile;
import dev.weir.coordinator.ctl.StubCoordinator.Answer;
import dev.weir.coordinator.ctl.StubCoordinator.Asked;
import dev.weir.coordinator.ctl.Terminal.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code validate} and {@code apply}. */
class QuotaFilesTest {
  private static final String SHOP =
      """
      domain: shop
      regions:
        eu-west: {weight: 2}
      quotas:
        - name: public-api
          match: [{key: tenant}]
          limit: 6000/min
      """;
  private static final String MORE_OF_SHOP =
      """
      domain: shop
      quotas:
        - name: logins
          match: [{key: user}]
          limit: 10/s
          onLeaseExpiry: allow
      """;
  private static final String BANK =
      """
      {"domain": "bank", "regions": {"eu-west": {"weight": 1}},
       "quotas": [{"name": "transfers", "match": [], "limit": "100/s"}]}
      """;
  private static final String BAD =
      """
      domain: shop
      regions:
        eu-west: {weight: 2}
      quotas:
        - name: public-api
          match: [{key: tenant}]
          limit: 6000/mn
          brust: 500
      """;

  @TempDir private Path folder;
  private StubCoordinator coordinator;
  private Terminal terminal;

  @BeforeEach
  void start() throws IOException {
    coordinator = new StubCoordinator();
    terminal = Terminal.at(coordinator);
  }

  @AfterEach
  void stop() {
    coordinator.close();
  }

  @Test
  void goodFilesAreCalledGoodWithoutACoordinator() throws IOException {
    Ran ran = terminal.run("validate", file("a.yaml", SHOP), file("b.json", BANK));

    assertThat(ran).isEqualTo(new Ran(0, "good: 2 quotas of 2 domains\n", ""));
    assertThat(coordinator.asked()).isEmpty();
  }

  @Test
  void everyProblemIsShownAtOnceWhereItStands() throws IOException {
    String bad = file("bad.yaml", BAD);
    String missing = folder.resolve("missing.yaml").toString();
    String empty = Files.createDirectory(folder.resolve("empty")).toString();

    Ran ran = terminal.run("validate", bad, missing, empty);

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.out().lines())
        .hasSize(5)
        .anyMatch(line -> line.equals(missing + ": error: no such file"))
        .anyMatch(line -> line.startsWith(empty + ": error: has no file"))
        .anyMatch(line -> line.startsWith(bad + ":7:12: error: limit: \"6000/mn\""))
        .anyMatch(
            line ->
                line.startsWith(bad + ":8:5: error: unknown key \"brust\"")
                    && line.endsWith("(did you mean \"burst\"?)"))
        .endsWith("not good: 4 problems");
  }

  @Test
  void warningsAreShownAndAreNoFailure() throws IOException {
    Ran ran = terminal.run("validate", file("a.yaml", SHOP), file("b.yaml", MORE_OF_SHOP));

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out()).contains("warning: quota logins has onLeaseExpiry: allow");
    assertThat(ran.out()).endsWith("good: 2 quotas of domain shop, 1 warning\n");
  }

  @Test
  void problemsAsJsonHaveTheirPlace() throws IOException {
    Ran ran = terminal.run("validate", "-o", "json", file("bad.yaml", BAD));

    JsonNode json = Objects.requireNonNull(Json.read(ran.out()));
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(json.path("valid").asBoolean()).isFalse();
    assertThat(json.at("/problems/1/line").asInt()).isEqualTo(8);
    assertThat(json.at("/problems/1/suggestion").asText()).isEqualTo("burst");
  }

  @Test
  void badFilesAreNotSent() throws IOException {
    Ran ran = terminal.run("apply", file("bad.yaml", BAD));

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err())
        .contains("brust")
        .endsWith("weir ctl: nothing was sent: not good: 2 problems\n");
    assertThat(coordinator.asked()).isEmpty();
  }

  @Test
  void aFileIsSentAsItIsAndWhatChangedIsShown() throws IOException {
    String file = file("a.yaml", SHOP);
    String question = "POST /v1/config/apply?file=" + Urls.encoded(file);
    coordinator.on(
        question,
        "{\"generation\":8,\"added\":[\"shop/public-api\"],\"changed\":[],\"removed\":[\"shop/x\"],"
            + "\"regions\":[\"shop/eu-west\"]}");

    Ran ran = terminal.run("apply", file);

    assertThat(coordinator.asked()).containsExactly(new Asked(question, "application/yaml", SHOP));
    assertThat(ran)
        .isEqualTo(
            new Ran(
                0,
                """
                added     shop/public-api
                removed   shop/x
                region    shop/eu-west
                generation 8 is in force
                """,
                ""));
  }

  @Test
  void aDryRunOnlyValidates() throws IOException {
    String file = file("b.json", BANK);
    String question = "POST /v1/config/validate?file=" + Urls.encoded(file);
    coordinator.on(question, "{\"generation\":7,\"added\":[],\"changed\":[],\"removed\":[]}");

    Ran ran = terminal.run("apply", "--dry-run", file);

    assertThat(coordinator.asked()).containsExactly(new Asked(question, "application/json", BANK));
    assertThat(ran.out())
        .isEqualTo("nothing changes\ndry run, nothing was changed: generation 7 is in force\n");
  }

  @Test
  void severalFilesOfADomainAreSentAsOne() throws IOException {
    coordinator.on(
        "POST /v1/config/apply?file=shop.yaml", "{\"generation\":8,\"added\":[\"shop/logins\"]}");
    file("a.yaml", SHOP);
    file("b.yaml", MORE_OF_SHOP);

    Ran ran = terminal.run("apply", folder.toString());

    assertThat(ran.exitCode()).isZero();
    assertThat(coordinator.asked()).hasSize(1);
    assertThat(quotasIn(coordinator.asked().get(0).body())).containsExactly("logins", "public-api");
  }

  @Test
  void severalDomainsAreAllValidatedBeforeAnyIsApplied() throws IOException {
    coordinator.on("POST /v1/config/validate?file=bank.yaml", "{\"generation\":7}");
    coordinator.on(
        "POST /v1/config/validate?file=shop.yaml",
        Answer.problem(
            409, "Conflict", "quota public-api comes from shop.yaml:1:1: change it there"));

    Ran ran = terminal.run("apply", file("a.yaml", SHOP), file("b.json", BANK));

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err()).contains("change it there");
    assertThat(coordinator.asked()).noneMatch(asked -> asked.what().contains("/apply"));
  }

  @Test
  void whatWasAppliedBeforeAFailureIsSaid() throws IOException {
    coordinator
        .on("POST /v1/config/validate?file=bank.yaml", "{\"generation\":7}")
        .on("POST /v1/config/validate?file=shop.yaml", "{\"generation\":7}")
        .on("POST /v1/config/apply?file=bank.yaml", "{\"generation\":8}")
        .on(
            "POST /v1/config/apply?file=shop.yaml",
            Answer.problem(503, "Cannot store", "no space left; nothing was changed"));

    Ran ran = terminal.run("apply", file("a.yaml", SHOP), file("b.json", BANK));

    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(ran.err()).contains("no space left; nothing was changed (applied already: bank)");
  }

  @Test
  void whatTheCoordinatorFindsWrongIsShownLineByLine() throws IOException {
    String file = file("a.yaml", SHOP);
    coordinator.on(
        "POST /v1/config/apply?file=" + Urls.encoded(file),
        new Answer(
            422,
            "application/problem+json",
            """
            {"title": "Not a valid quota file", "status": 422, "detail": "one\\ntwo", "problems": [
              {"file": "a.yaml", "line": 3, "column": 5, "message": "too heavy", "suggestion": "1"},
              {"message": "too many"}]}
            """));

    assertThat(terminal.run("apply", file).err())
        .isEqualTo(
            """
            weir ctl: the coordinator answers 422 Not a valid quota file
              a.yaml:3:5: too heavy (did you mean "1"?)
              too many
            """);
  }

  private static List<String> quotasIn(String text) {
    QuotaFile.Accepted accepted = (QuotaFile.Accepted) QuotaFile.read("sent.yaml", text);
    return accepted.domains().values().stream()
        .flatMap(domain -> domain.quotas().stream())
        .map(quota -> quota.id().name())
        .toList();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
