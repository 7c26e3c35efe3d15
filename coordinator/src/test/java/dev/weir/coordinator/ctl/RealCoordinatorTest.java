package dev.weir.coordinator.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.CoordinatorSettings;
import dev.weir.coordinator.Coordinator;
import dev.weir.coordinator.ctl.Terminal.Ran;
import dev.weir.coordinator.state.StartWord;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.OfferId;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Share;
import dev.weir.protocol.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the stub says, the real coordinator says too. */
class RealCoordinatorTest {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  private static final String SETTINGS =
      """
      http: {host: 127.0.0.1, port: %d}
      quotas: quotas.yaml
      data: data
      cluster: {self: "127.0.0.1:0", members: ["127.0.0.1:0"]}
      """;
  private static final String QUOTAS =
      """
      domain: shop
      regions:
        eu-west: {weight: 2}
        us-east: {weight: 1}
      quotas:
        - name: public-api
          match: [{key: api, value: public}, {key: tenant}]
          limit: 6000/min
          burst: 500
        - name: payouts
          match: [{key: account}]
          limit: 10/s
          enforcement: strict
      """;
  private static final String MORE =
      """
      domain: bank
      regions:
        dublin: {weight: 1}
      quotas:
        - name: transfers
          match: []
          limit: 100/s
      """;

  @TempDir private static Path folder;
  private static Coordinator coordinator;
  private static Terminal terminal;
  private static long seq;

  @BeforeAll
  static void start() throws Exception {
    Files.writeString(folder.resolve("quotas.yaml"), QUOTAS);
    Path settings =
        Files.writeString(folder.resolve("coordinator.yaml"), SETTINGS.formatted(freePort()));
    coordinator =
        Coordinator.start(
            CoordinatorSettings.read(settings, Map.of(), Map.of()), new StartWord.FirstStart());
    terminal = new Terminal().with("WEIR_COORDINATOR", "http://" + coordinator.http());
  }

  @AfterAll
  static void stop() {
    coordinator.close();
  }

  /** Before each test, since what is leased expires: a region wants one tenant's bucket. */
  @BeforeEach
  void anAgentAsks() throws IOException, InterruptedException {
    BucketId acme = new BucketId(new QuotaId("shop", "public-api"), "tenant=acme");
    BucketReport wants =
        new BucketReport(
            acme, OfferId.NONE, 0, MINUTE_NANOS, Share.ZERO, 0, 0, 80_000_000, 0, true);
    SyncRequest request =
        new SyncRequest("", "eu-west", "folder", 7, ++seq, 0, 0, false, List.of(wants), List.of());
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://" + coordinator.http() + "/v1/sync"))
                    .POST(BodyPublishers.ofByteArray(Wire.encode(request)))
                    .build(),
                BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void quotasAreListed() {
    assertThat(printed("quotas"))
        .containsPattern("shop/public-api +api=public, tenant=\\* +6000/min .*quotas.yaml:6:11\n")
        .contains("shop/payouts");
  }

  @Test
  void leasesAreListedByBucketAndByHolder() {
    assertThat(printed("leases", "public-api")).contains("1 bucket leased", "tenant=acme");
    assertThat(printed("leases", "public-api", "tenant=acme"))
        .contains("pool", "floors", "eu-west run 7");
    assertThat(printed("leases", "public-api", "tenant=nobody"))
        .endsWith("no lease: regions serve it from their floors\n");
    Ran strict = terminal.run("leases", "payouts");
    assertThat(strict.exitCode()).isEqualTo(1);
    assertThat(strict.err()).contains("payouts is strict");
  }

  @Test
  void theBoundHasItsNumbers() {
    assertThat(printed("bound", "public-api"))
        .contains("500 + 100.05 * t tokens", "ledger-lost  ", "lease-expired  ");
  }

  @Test
  void regionsAndAgentsAreListed() {
    assertThat(printed("regions"))
        .containsPattern("eu-west +2 +given +run 7, (alive|lost) .* run 7\n");
    assertThat(printed("agents")).containsPattern("eu-west +7 +(alive|lost) +.* ago +127.0.0.1:");
  }

  @Test
  void aRequestIsExplained() {
    assertThat(printed("explain", "tenant=acme,api=public"))
        .containsPattern("public-api +tenant=acme +6000/min")
        .contains("there is no account");
  }

  @Test
  void aRegionIsDrainedAndTakesPartAgain() {
    assertThat(printed("drain", "us-east")).contains("is drained");
    assertThat(printed("regions")).containsPattern("us-east +1 +drained ");
    assertThat(printed("undrain", "us-east")).contains("takes part again");
    assertThat(printed("regions")).containsPattern("us-east +1 +given ");
    Ran unknown = terminal.run("drain", "nowhere");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("there is no region nowhere");
  }

  @Test
  void nobodysFloorsCannotBeReleased() {
    assertThat(printed("release-floor", "us-east"))
        .isEqualTo("nobody held the floors of us-east\n");
  }

  @Test
  void quotasAreAppliedAndFilesAreNotOverruled() throws IOException {
    Path more = Files.writeString(folder.resolve("more.yaml"), MORE);
    assertThat(printed("apply", "--dry-run", more.toString()))
        .contains("added     bank/transfers", "nothing was changed");
    assertThat(printed("apply", more.toString()))
        .contains("added     bank/transfers", "region    bank/dublin", " is in force");
    assertThat(printed("apply", more.toString())).startsWith("nothing changes\n");

    Ran refused = terminal.run("apply", folder.resolve("quotas.yaml").toString());
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("shop/public-api", "files");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String printed(String... args) {
    Ran ran = terminal.run(args);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.exitCode()).isZero();
    return ran.out();
  }
}
