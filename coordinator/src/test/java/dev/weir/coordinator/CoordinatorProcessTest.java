package dev.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Tokens;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoordinatorProcessTest {
  private static final long DAY = 86_400_000_000_000L;
  private static final BucketId ACME = new BucketId(new QuotaId("shop", "daily"), "tenant=acme");

  @TempDir Path folder;

  @Test
  void anEmptyFolderWantsTheOperatorsWordAndAUsedOneWantsNone() throws Exception {
    Site site = new Site(folder);
    try (CoordinatorProcess silent = CoordinatorProcess.start(site)) {
      assertThat(silent.exitCode()).isEqualTo(2);
      assertThat(silent.errors()).contains("--first-start").contains("--lost-data");
    }
    try (CoordinatorProcess first = CoordinatorProcess.start(site, "--first-start")) {
      assertThat(first.ready().get("/readyz").status()).isEqualTo(200);
      try (CoordinatorProcess second = CoordinatorProcess.start(site)) {
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.errors()).contains("in use by another coordinator");
      }
      assertThat(first.end()).isZero();
    }
    for (String word : new String[] {"--first-start", "--lost-data"}) {
      try (CoordinatorProcess again = CoordinatorProcess.start(site, word)) {
        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.errors()).contains("start without --first-start and --lost-data");
      }
    }
    try (CoordinatorProcess again = CoordinatorProcess.start(site)) {
      assertThat(again.ready().get("/readyz").json().path("learning").asBoolean()).isTrue();
    }
  }

  @Test
  void lostDataGivesNoFloorToAnAgentThatHasNoneAndLearnsFirst() throws Exception {
    Site site = new Site(folder);
    String[] words = {"--lost-data", "--cluster-id", "old-one", "--longest-ttl", "2m"};
    try (CoordinatorProcess lost = CoordinatorProcess.start(site, words)) {
      Http http = lost.ready();
      assertThat(http.get("/readyz").json().path("cluster").asText()).isEqualTo("old-one");
      assertThat(http.get("/readyz").json().path("learningEndsInMs").asLong())
          .isBetween(60_000L, 125_000L);
      String without = "{\"r\":\"eu-west\",\"b\":1,\"s\":1,\"d\":\"x\"}";
      assertThat(http.post("/v1/sync", without).json().has("f")).isFalse();
      String with = "{\"r\":\"us-east\",\"b\":1,\"s\":1,\"d\":\"x\",\"f\":3}";
      assertThat(http.post("/v1/sync", with).json().has("f")).isTrue();
      for (String path : new String[] {"/v1/agents%zz", "/v1/events?since=%zz"}) {
        String line = "GET " + path + " HTTP/1.1";
        assertThat(RawHttp.send(http.uri("/"), line, "").head()).startsWith("HTTP/1.1 400 ");
      }
      assertThat(lost.errors()).doesNotContain("ERROR").doesNotContain("\tat ");
    }
  }

  @Test
  void wrongUsageAndWhatCannotBeUsedAreSaidClearly() throws Exception {
    Site site = new Site(folder);
    try (CoordinatorProcess unknown = CoordinatorProcess.start(site, "--frist-start")) {
      assertThat(unknown.exitCode()).isEqualTo(2);
    }
    try (CoordinatorProcess stray = CoordinatorProcess.start(site, "--longest-ttl", "5s")) {
      assertThat(stray.exitCode()).isEqualTo(2);
      assertThat(stray.errors()).contains("--lost-data");
    }
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(
          site.settings(),
          Files.readString(site.settings()).replace("port: 0", "port: " + taken.getLocalPort()));
      try (CoordinatorProcess blocked = CoordinatorProcess.start(site, "--first-start")) {
        assertThat(blocked.exitCode()).isEqualTo(1);
        assertThat(blocked.errors().lines())
            .singleElement()
            .asString()
            .contains("127.0.0.1:" + taken.getLocalPort(), "set http.port (WEIR_HTTP_PORT)");
      }
    }
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String self = "127.0.0.1:" + taken.getLocalPort();
      Files.writeString(
          site.settings(),
          "http: {port: 0}\nquotas: quotas/\ndata: data\ncluster: {self: \"" + self + "\"}\n");
      try (CoordinatorProcess blocked = CoordinatorProcess.start(site, "--first-start")) {
        assertThat(blocked.exitCode()).isEqualTo(1);
        assertThat(blocked.errors().lines())
            .singleElement()
            .asString()
            .startsWith("weir coordinator: the cluster's address " + self + " cannot be used: ")
            .contains("set cluster.self (WEIR_CLUSTER_SELF)")
            .doesNotContain("Hazelcast");
      }
    }
    Files.writeString(site.settings(), "http: {port: 0}\ndata: coordinator.yaml/data\n");
    try (CoordinatorProcess blocked = CoordinatorProcess.start(site, "--first-start")) {
      assertThat(blocked.exitCode()).isEqualTo(1);
      assertThat(blocked.errors()).contains("cannot be written to");
    }
    Files.writeString(site.settings(), "http: {port: 0}\ndata: quotas/shop.yaml\n");
    try (CoordinatorProcess blocked = CoordinatorProcess.start(site, "--first-start")) {
      assertThat(blocked.exitCode()).isEqualTo(1);
      assertThat(blocked.errors())
          .contains("shop.yaml is a file, not a folder")
          .doesNotContain("Exception");
    }
    Files.writeString(site.settings(), "htpp: {port: 0}\n");
    try (CoordinatorProcess wrong = CoordinatorProcess.start(site, "--first-start")) {
      assertThat(wrong.exitCode()).isEqualTo(1);
      assertThat(wrong.errors()).contains("htpp");
    }
  }

  @Test
  void noAcknowledgedChangeIsLostByAKill() throws Exception {
    Site site = new Site(folder);
    int acknowledged = 0;
    long generation = 0;
    try (CoordinatorProcess process = CoordinatorProcess.start(site, "--first-start")) {
      Http http = process.ready();
      for (int i = 1; i <= 20; i++) {
        String body = "{\"match\":[{\"key\":\"u\"}],\"limit\":\"" + i + "/s\"}";
        Http.Answer answer = http.put("/v1/domains/shop/quotas/mine", body);
        assertThat(answer.status()).isIn(200, 201);
        acknowledged = i;
        generation = answer.json().path("generation").asLong();
      }
      process.kill();
    }
    // Broken meanwhile: the last good ones stay in force, of files and of the API.
    Files.writeString(site.quotas("shop.yaml"), "domain: [");
    try (CoordinatorProcess process = CoordinatorProcess.start(site)) {
      Http http = process.ready();
      Http.Answer mine = http.get("/v1/domains/shop/quotas/mine");
      assertThat(mine.json().path("limit").asText()).isEqualTo(acknowledged + "/s");
      assertThat(mine.etag()).isEqualTo("\"" + generation + "\"");
      assertThat(http.get("/v1/domains/shop/quotas/public-api").status()).isEqualTo(200);
      assertThat(http.get("/readyz").json().path("files").path("good").asBoolean()).isFalse();
    }
  }

  @Test
  void aThousandADayHalfSpentNeitherStartsAnewNorStandsStill() throws Exception {
    Site site = new Site(folder);
    TestAgent agent = new TestAgent("eu-west", ACME, DAY);
    long before = 0;
    try (CoordinatorProcess process = CoordinatorProcess.start(site, "--first-start")) {
      Http http = process.ready();
      while (before < Tokens.micros(500)) {
        before += agent.ask(http);
      }
      process.kill();
    }
    try (CoordinatorProcess process = CoordinatorProcess.start(site)) {
      Http http = process.ready();
      AtomicLong after = new AtomicLong();
      Await.until("it grants again", () -> after.addAndGet(agent.ask(http)) > 0);
      for (int quiet = 0; quiet < 30; quiet++) {
        long came = agent.ask(http);
        after.addAndGet(came);
        quiet = came > 0 ? 0 : quiet;
      }
      // Made in the test's minutes: a token or two.
      assertThat(before + after.get()).isBetween(Tokens.micros(950), Tokens.micros(1003));
    }
  }
}
