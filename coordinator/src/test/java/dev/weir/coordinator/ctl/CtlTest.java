package dev.weir.coordinator.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.coordinator.ctl.StubCoordinator.Answer;
import dev.weir.coordinator.ctl.Terminal.Ran;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator types and reads. */
class CtlTest {
  private StubCoordinator coordinator;
  private Terminal terminal;

  @BeforeEach
  void start() throws IOException {
    coordinator = Shop.answersOn(new StubCoordinator());
    terminal = Terminal.at(coordinator);
  }

  @AfterEach
  void stop() {
    coordinator.close();
  }

  @Test
  void quotasAreListedWithTheirConditionsAndOrigin() {
    assertThat(printed("quotas"))
        .isEqualTo(
            """
            QUOTA                  MATCH                    LIMIT  BURST  MAX COST  ENFORCEMENT  MODE     FLOOR  FROM
            shop/payouts           account=*               10/90s     10        10  strict       enforce      -  API
            shop/public-api        api=public, tenant=*  6000/min    500        25  leased       enforce    10%  quotas/shop.yaml:15:5
            shop/public-api-total  api=public              2000/s   2000       100  leased       shadow     10%  quotas/shop.yaml:22:5
            shop/retired           api=public                 1/s      1         1  leased       off          -  quotas/shop.yaml:30:5
            """);
  }

  @Test
  void leasesOfAllBucketsAreSummedByAgentAndListedByBucket() {
    assertThat(printed("leases", "public-api"))
        .isEqualTo(
            """
            shop/public-api: 100/s, burst 500 for each bucket; 3 buckets leased

            AGENT           HOLDS/s  BURST  DEMAND/s
            eu-west run 3       133    700       812
            us-east run 12       20    150      19.5

            the 2 largest:
            BUCKET        LEASED/s  BURST  POOL/s  LEVEL  AGENTS
            tenant=acme         90    450       0      0       2
            tenant=b%2Cc      63.3    400    26.7   12.3       1
            """);
  }

  @Test
  void leasesOfOneBucketShowEveryHolder() {
    assertThat(printed("leases", "shop/public-api", "tenant=acme"))
        .isEqualTo(
            """
            shop/public-api: 100/s, burst 500; bucket tenant=acme

            HOLDER          RATE/s  BURST  LEVEL  DEMAND/s  EXPIRES IN     OWN FLOOR    OFFERED      HEARD
            pool                10     50     50         -           -             -          -          -
            floors              10     50      -         -           -             -          -          -
            eu-west run 3       60    300   12.3      81.2        6.4s  6.67/s, 33.3  65/s, 325   90ms ago
            us-east run 12      20    100    100  0.000116        3.0s    3.33/s, 25          -  1m 4s ago
            ap-south run 1       0      0      1         0           -    3.33/s, 25          -   70ms ago
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tenant=a%2Cc",
        "tenant=\"a,c\"",
        "tenant = \"a,c\", api=public",
        "api=public,tenant=a%2Cc"
      })
  void aKeyMayBeTypedAsTablesShowItOrByHand(String key) {
    coordinator.on(
        "GET /v1/domains/shop/quotas/public-api/leases?key=tenant%3Da%252Cc",
        "{\"tokensPerSecond\":1,\"burst\":5,\"key\":\"tenant=a%2Cc\",\"ledgers\":0}");

    assertThat(printed("leases", "public-api", key, "--domain", "shop"))
        .isEqualTo(
            """
            shop/public-api: 1/s, burst 5; bucket tenant=a%2Cc

            no lease: regions serve it from their floors
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "public-api;user=acme;KEY is tenant=VALUE for the buckets of shop/public-api",
        "public-api;tenant=acme,user=1;KEY is tenant=VALUE",
        "public-api;tenant=acme,api=internal;KEY is tenant=VALUE",
        "public-api-total;tenant=acme;shop/public-api-total has one bucket only: leave KEY out"
      })
  void aKeyThatNoBucketCanHaveIsWrongUsage(String quota, String key, String says) {
    Ran ran = terminal.run("leases", quota, key);

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains(says);
  }

  @Test
  void aLearningBucketSaysSo() {
    coordinator.on(
        "GET /v1/domains/shop/quotas/public-api/leases",
        Shop.ONE_BUCKET.replace("\"learning\": false", "\"learning\": true"));

    assertThat(printed("leases", "shop/public-api"))
        .contains("learning: leases are confirmed, none is raised");
  }

  @Test
  void theBoundIsAFormulaWithItsNumbers() {
    assertThat(printed("bound", "public-api"))
        .isEqualTo(
            """
            shop/public-api: in any window of t seconds, all regions together admit at most

                500 + 100.05 * t tokens

            of each bucket, the drift of clocks included; and in addition, only while the cause is at work:

            CAUSE                        ONCE  PER SECOND  NOTE
            coordinator-unreachable         0           0  Agents go on with their leases until these expire.
            floor-expired            no bound    no bound  A region that is cut off for more than 24 h admits
                                                           everything.
            machine-suspended             515           0  Once each time a machine wakes that slept past its
                                                           leases: B + R for the 150 ms in which it may not have
                                                           noticed.
            """);
  }

  @Test
  void regionsShowTheirNewestAgentAndTheHolderOfTheirFloors() {
    assertThat(printed("regions"))
        .isEqualTo(
            """
            REGION    WEIGHT          LEASES   AGENT                     HEARD  FLOORS HELD BY
            ap-south  1               given    -                             -  nobody
            eu-west   shop 2, bank 1  drained  run 3, alive           90ms ago  run 3
            us-east   1               given    run 12, lost, fenced  1m 4s ago  run 11
            """);
  }

  @Test
  void whatIsToBeDoneAboutAgentsThatAreThereStandsBelowThem() {
    coordinator.on(
        "GET /v1/agents",
        """
        {"agents":[
          {"region":"eu-west","boot":4,"state":"alive","status":"ok","detail":"no floors: do this"},
          {"region":"eu-west","boot":3,"state":"refused","status":"other-cluster","detail":"do that"},
          {"region":"eu-west","boot":2,"state":"lost","status":"fenced","detail":"long ago"}]}
        """);
    assertThat(printed("agents"))
        .contains(" refused, other-cluster ")
        .endsWith("\n\neu-west run 4: no floors: do this\n\neu-west run 3: do that\n");
  }

  @Test
  void floorsThatSomebodyUnknownMayHoldAreShownSo() {
    coordinator.on(
        "GET /v1/regions",
        "{\"regions\":[{\"region\":\"eu\",\"floor\":{\"held\":true,\"boot\":-1}}]}");
    assertThat(printed("regions")).endsWith("  a run unknown\n");
  }

  @Test
  void agentsShowWhenTheyWereHeard() {
    assertThat(printed("agents"))
        .isEqualTo(
            """
            REGION   RUN  STATE             HEARD  ADDRESS          BUCKETS  GENERATION
            eu-west    3  alive          90ms ago  127.0.0.1:50312       12           7
            us-east   12  lost, fenced  1m 4s ago  127.0.0.1:50990        0           6
            """);
  }

  @Test
  void drainAndUndrainSayWhatFollows() {
    assertThat(printed("drain", "eu-west"))
        .contains("gives its leases back", "weir ctl undrain eu-west");
    assertThat(printed("undrain", "eu-west")).isEqualTo("eu-west takes part again\n");
  }

  @Test
  void aRequestIsExplainedByTheQuotasItCountsAgainst() {
    assertThat(printed("explain", "tenant=acme,api=public"))
        .isEqualTo(
            """
            domain shop: api=public,tenant=acme counts against 2 quotas, and all must admit it (one in shadow only counts, and refuses nothing)

            QUOTA             BUCKET             LIMIT  BURST  MAX COST  ENFORCEMENT  MODE
            public-api        tenant=acme     6000/min    500        25  leased       enforce
            public-api-total  (the only one)    2000/s   2000       100  leased       shadow

            NOT AGAINST  BECAUSE
            payouts      there is no account
            retired      its mode is off
            """);
  }

  @Test
  void aRequestThatMatchesNothingIsExplainedToo() {
    assertThat(printed("explain", "api=internal"))
        .startsWith("domain shop: api=internal counts against no quota: always admitted\n")
        .contains("public-api        api is internal, not public\n");
    assertThat(printed("explain")).startsWith("domain shop: a request without descriptors counts");
  }

  @Test
  void explainAsJsonCarriesTheQuotaAsFilesHaveIt() {
    JsonNode first = json("explain", "-o", "json", "api=public", "tenant=a,b=c").at("/domains/0");

    assertThat(first.at("/counted/0/bucket").asText()).isEqualTo("tenant=a");
    assertThat(first.at("/counted/0/quota/limit").asText()).isEqualTo("6000/min");
    assertThat(first.at("/others/0/name").asText()).isEqualTo("payouts");
  }

  @ParameterizedTest
  @CsvSource({"regions,/regions/1/drained", "agents,/agents/0/floor"})
  void jsonIsWhatTheCoordinatorSaid(String command, String field) {
    assertThat(json(command, "-o", "json").at(field).asBoolean()).isTrue();
  }

  @Test
  void jsonKeepsEveryDigit() {
    coordinator.on("GET /v1/agents", "{\"agents\":[{\"demand\":123456789012345.123456}]}");

    assertThat(printed("--output=json", "agents")).contains("123456789012345.123456");
  }

  @Test
  void optionsMayStandBeforeOrAfterTheCommandAndBeatTheEnvironment() {
    terminal.with("WEIR_OUTPUT", "json");

    assertThat(printed("agents")).startsWith("{");
    assertThat(printed("-o", "table", "agents")).startsWith("REGION");
    assertThat(printed("agents", "-o", "table")).startsWith("REGION");
  }

  @Test
  void nothingInAnAnswerMovesTheTerminalsCursor() {
    coordinator.on(
        "GET /v1/agents",
        "{\"agents\":[{\"region\":\"\\u001b[31meu\\u202e\",\"boot\":1,\"address\":\"a\\nb\"}]}");

    assertThat(printed("agents")).contains("?[31meu?", "a b").doesNotContain("\u001b");
  }

  @Test
  void anUnknownQuotaIsAnsweredWithThoseThereAre() {
    Ran ran = terminal.run("bound", "public-apo");

    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo(
            "weir ctl: there is no quota public-apo (did you mean \"public-api\"?); there are shop/payouts, shop/public-api,"
                + " shop/public-api-total, shop/retired\n");
  }

  @Test
  void aNameThatTwoDomainsHaveIsAmbiguousUntilOneIsNamed() {
    coordinator
        .on("GET /v1/domains", "{\"domains\":[{\"domain\":\"bank\"},{\"domain\":\"shop\"}]}")
        .on("GET /v1/domains/bank/quotas", "{\"quotas\":[{\"name\":\"public-api\"}]}");

    Ran ran = terminal.run("bound", "public-api");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("say bank/public-api or shop/public-api");
    assertThat(printed("bound", "public-api", "--domain", "shop")).startsWith("shop/public-api:");
    assertThat(printed("bound", "shop/public-api")).startsWith("shop/public-api:");
  }

  @ParameterizedTest
  @CsvSource({"400,1", "404,1", "409,1", "500,1", "502,3", "503,3"})
  void aRefusalIsOneLineThatSaysWhatToDo(int status, int exitCode) {
    coordinator.on("GET /v1/agents", Answer.problem(status, "No", "do it another way"));

    Ran ran = terminal.run("agents");

    assertThat(ran.exitCode()).isEqualTo(exitCode);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).isEqualTo("weir ctl: do it another way\n");
  }

  @Test
  void whatIsNoCoordinatorIsCalledThat() {
    coordinator.on("GET /v1/agents", new Answer(200, "text/html", "<html>"));

    Ran ran = terminal.run("agents");

    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(ran.err()).contains("no coordinator of this version", "200", "text/html");
  }

  @Test
  void anAgentsPortIsCalledThat() {
    coordinator.on(
        "GET /v1/agents",
        new Answer(404, "application/problem+json", "{\"detail\":\"There is /v1/check here.\"}"));

    Ran ran = terminal.run("agents");

    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(ran.err()).contains("an agent's port is not a coordinator's");
  }

  @Test
  void aCoordinatorThatIsNotThereEndsWithThree() {
    String url = coordinator.url();
    coordinator.close();

    Ran ran = terminal.run("agents");

    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(ran.err()).contains(url, "was not reached", "--coordinator");
  }

  @Test
  void aNameThatIsNoHostEndsWithThree() {
    // The name is reserved for being none (RFC 6761), so that no server is asked about it.
    Ran ran = terminal.run("agents", "--coordinator", "http://weir.invalid:8070");

    assertThat(ran.exitCode()).isEqualTo(3);
    assertThat(ran.err()).contains("was not reached");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "leases",
        "leases a b c",
        "leases Not-A-Name",
        "leases one/two/three",
        "leases shop/public-api tenant",
        "leases shop/public-api --domain bank",
        "explain tenant",
        "explain a=1,a=2",
        "explain a=\"1",
        "agents --output yaml",
        "agents --timeout 0",
        "agents --timeout soon",
        "quotas --domain n/o",
        "agents --coordinator ftp://127.0.0.1",
        "agents --coordinator http://",
        "drain Not-A-Name",
        "apply",
        "validate"
      })
  void wrongUsageEndsWithTwoAndAsksNothing(String commandLine) {
    Ran ran = terminal.run(commandLine.isEmpty() ? new String[0] : commandLine.split(" "));

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("weir ctl: ");
    assertThat(coordinator.asked()).allMatch(asked -> asked.what().startsWith("GET "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "validate",
        "apply",
        "quotas",
        "explain",
        "leases",
        "bound",
        "regions",
        "agents",
        "drain",
        "undrain",
        "release-floor"
      })
  void everyCommandHasHelpAndTheVersion(String command) {
    assertThat(printed(command, "--help"))
        .contains("weir ctl " + command, "--coordinator", "Exit codes:", "WEIR_");
    assertThat(printed(command, "--version")).startsWith("weir ");
    assertThat(printed("--help")).contains("\n  " + command + " ");
  }

  private String printed(String... args) {
    Ran ran = terminal.run(args);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    return ran.out();
  }

  private JsonNode json(String... args) {
    return Objects.requireNonNull(Json.read(printed(args)));
  }
}
