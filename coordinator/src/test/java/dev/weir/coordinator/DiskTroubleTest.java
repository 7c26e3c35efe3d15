package dev.weir.coordinator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.coordinator.state.StartWord;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A coordinator whose disk takes no more: nothing is given that the next run would not know of. */
class DiskTroubleTest {
  private static final BucketId API = new BucketId(new QuotaId("shop", "public-api"), "");
  private static final BucketId DAILY = new BucketId(new QuotaId("shop", "daily"), "tenant=acme");
  private static final long DAY = 86_400_000_000_000L;

  @TempDir Path folder;
  private Site site;
  private Coordinator coordinator;
  private Http http;

  @BeforeEach
  void start() throws Exception {
    site = new Site(folder);
    coordinator = site.start(new StartWord.FirstStart());
    http = new Http("http://" + coordinator.http());
  }

  @AfterEach
  void stop() {
    coordinator.close();
  }

  /** S8. */
  @Test
  void whereFloorsCannotBeStoredASyncIsAnswered503AndNothingIsGiven() throws Exception {
    // A folder where the next file is to be written: no write of floors gets through.
    Path inTheWay = Files.createDirectory(site.data("floors.json.next"));
    String stored = Files.readString(site.data("floors.json"), UTF_8);
    TestAgent agent = new TestAgent("eu-west", API, 1_000_000_000L);
    for (int i = 0; i < 3; i++) {
      Http.Answer refused = http.post("/v1/sync", agent.words());
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.type()).isEqualTo("application/problem+json");
      assertThat(refused.json().path("detail").asText()).contains("floor", "cannot be stored");
      assertThat(refused.json().has("f")).isFalse();
      assertThat(refused.json().has("o")).isFalse();
    }
    assertThat(Files.readString(site.data("floors.json"), UTF_8)).isEqualTo(stored);
    assertThat(http.get("/readyz").json().path("disk").path(0).asText())
        .contains("floors cannot be written");
    assertThat(http.post("/v1/regions/eu-west/release-floor", "").status()).isEqualTo(503);

    Files.delete(inTheWay);
    Http.Answer given = http.post("/v1/sync", agent.words());
    assertThat(given.status()).isEqualTo(200);
    assertThat(given.json().has("f")).isTrue();
    assertThat(Files.readString(site.data("floors.json"), UTF_8)).contains("folder-eu-west");
    assertThat(http.get("/readyz").json().has("disk")).isFalse();
  }

  /** S9, and H7 as far as a lone coordinator has it. */
  @Test
  void whereMarksCannotBeStoredNothingOfASlowBucketIsGivenAndOtherBucketsGoOn() throws Exception {
    TestAgent slow = new TestAgent("eu-west", DAILY, DAY);
    TestAgent fast = new TestAgent("us-east", API, 1_000_000_000L);
    Files.delete(site.data("marks.log"));
    Files.createDirectory(site.data("marks.log"));
    for (int i = 0; i < 3; i++) {
      assertThat(slow.ask(http)).isZero();
    }
    assertThat(fast.ask(http)).isPositive();
    assertThat(http.get("/readyz").json().path("disk").path(0).asText())
        .contains("marks cannot be written");

    Files.delete(site.data("marks.log"));
    // Three offers were not applied: first it is given something to apply (S2).
    assertThat(slow.ask(http) + slow.ask(http)).isPositive();
    assertThat(Files.readString(site.data("marks.log"), UTF_8)).contains("shop/daily tenant=acme");
  }
}
