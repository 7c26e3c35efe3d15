package dev.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.coordinator.state.StartWord;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Tokens;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus reads of a whole coordinator. */
class CoordinatorMetricsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final BucketId ALL = new BucketId(new QuotaId("shop", "all"), "");
  private static final BucketId ACME = new BucketId(new QuotaId("shop", "brief"), "tenant=acme");
  private static final String QUOTAS =
      """
      domain: shop
      regions: {eu-west: {}, us-east: {}}
      quotas:
        - name: all
          match: [{key: api, value: public}]
          limit: 100/s
          burst: 100
          maxCost: 1
          lease: {ttl: 1m, floor: 10%}
        - name: brief
          match: [{key: tenant}]
          limit: 100/s
          burst: 100
          maxCost: 1
          lease: {ttl: 1s, floor: 0%}
      """;

  private Coordinator coordinator;
  private Http http;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    Site site = new Site(folder);
    Files.writeString(site.quotas("shop.yaml"), QUOTAS);
    coordinator = site.start(new StartWord.FirstStart());
    http = new Http("http://" + coordinator.http());
  }

  @AfterEach
  void stop() {
    coordinator.close();
  }

  @Test
  void whatIsNotLeasedIsTheReserve() throws Exception {
    assertThat(sample("weir_limit_units_per_second", "quota=\"all\"")).isEqualTo(100);
    assertThat(sample("weir_reserve_units_per_second", "quota=\"all\"")).isEqualTo(90);
    assertThat(sample("weir_reserve_units_per_second", "quota=\"brief\"")).isZero();
    TestAgent europe = new TestAgent("eu-west", ALL, SECOND);
    Await.until("a lease", () -> europe.ask(http) > 0 && leased("eu-west") > 0);
    assertThat(sample("weir_reserve_units_per_second", "quota=\"all\"") + leased("eu-west"))
        .isBetween(89.9, 90.0);
  }

  private double leased(String region) throws Exception {
    return sample("weir_leased_units_per_second", "quota=\"all\",region=\"" + region + "\"");
  }

  @Test
  void aRegionThatWaitsForWhatAnotherHasIsARebalance() throws Exception {
    TestAgent europe = new TestAgent("eu-west", ALL, SECOND);
    TestAgent america = new TestAgent("us-east", ALL, SECOND);
    Await.until("a lease", () -> europe.ask(http) > 0 && leased("eu-west") > 60);
    assertThat(rebalances()).isZero();
    Await.until(
        "half of it each",
        () -> {
          america.ask(http);
          europe.ask(http);
          return rebalances() > 0;
        });
    assertThat(leased("us-east")).isGreaterThan(30);
    assertThat(sample("weir_rebalance_duration_seconds_sum", "quota=\"all\""))
        .isGreaterThan(0)
        .isLessThan(30);
  }

  private double rebalances() throws Exception {
    return sample("weir_rebalance_duration_seconds_count", "quota=\"all\"");
  }

  @Test
  void leasesThatComeBackAreCountedByCause() throws Exception {
    TestAgent europe = new TestAgent("eu-west", ALL, SECOND);
    TestAgent america = new TestAgent("us-east", ALL, SECOND);
    TestAgent silent = new TestAgent("us-east", ACME, SECOND);
    Await.until("a lease", () -> silent.ask(http) > 0);
    Await.until(
        "leases",
        () -> {
          europe.ask(http);
          america.ask(http);
          return leased("eu-west") > 0 && leased("us-east") > 0;
        });

    assertThat(america.leave(http)).isEqualTo(SyncAnswer.Status.OK);
    assertThat(reclaims("all", "us-east", "released")).isEqualTo(1);

    TestAgent newer = new TestAgent("eu-west", 2, ALL, SECOND);
    newer.ask(http);
    assertThat(europe.leave(http)).isEqualTo(SyncAnswer.Status.FENCED);
    assertThat(reclaims("all", "eu-west", "fenced")).isEqualTo(1);
    assertThat(reclaims("all", "eu-west", "released")).isZero();

    TestAgent another = new TestAgent("eu-west", 3, ACME, SECOND);
    Await.until(
        "it runs out",
        () -> {
          another.ask(http);
          return reclaims("brief", "us-east", "expired") == 1;
        });
  }

  private double reclaims(String quota, String region, String cause) throws Exception {
    return sample(
        "weir_reclaims_total",
        "cause=\"" + cause + "\",domain=\"shop\",quota=\"" + quota + "\",region=\"" + region);
  }

  @Test
  void whatAgentsHaveAdmittedIsAddedUp() throws Exception {
    TestAgent europe = new TestAgent("eu-west", ALL, SECOND);
    long used = 0;
    while (used < Tokens.micros(50)) {
      used += europe.ask(http);
    }
    europe.leave(http);
    String labels = "quota=\"all\",region=\"eu-west\"";
    assertThat(sample("weir_global_used_units_total", labels))
        .isEqualTo((double) used / Tokens.MICROS_PER_TOKEN);
    assertThat(http.get("/metrics").text()).contains("weir_overadmission_units_total{");
    assertThat(sample("weir_overadmission_units_total", labels)).isZero();

    String said =
        "{\"r\":\"us-east\",\"b\":5,\"s\":1,\"u\":{\"shop/all\":[2000000,7000000],\"no/such\":[9,9]}}";
    assertThat(http.post("/v1/sync", said).status()).isEqualTo(200);
    assertThat(sample("weir_overadmission_units_total", "region=\"us-east\"")).isEqualTo(7);
    assertThat(http.post("/v1/sync", said.replace("us-east", "mars")).status()).isEqualTo(200);
    assertThat(http.get("/metrics").text())
        .doesNotContain("no/such")
        .doesNotContain("\"mars\"")
        .doesNotContain("acme");
  }

  @Test
  void seriesOfARemovedQuotaAreGone() throws Exception {
    String path = "/v1/domains/shop/quotas/mine";
    String quota = "{\"match\":[{\"key\":\"u\"}],\"limit\":\"5/s\"}";
    assertThat(http.put(path, quota).status()).isEqualTo(201);
    String said = "{\"r\":\"us-east\",\"b\":5,\"s\":1,\"u\":{\"shop/mine\":[2000000,0]}}";
    assertThat(http.post("/v1/sync", said).status()).isEqualTo(200);
    assertThat(sample("weir_global_used_units_total", "quota=\"mine\"")).isEqualTo(2);
    assertThat(http.delete(path).status()).isEqualTo(200);
    assertThat(http.get("/metrics").text()).doesNotContain("mine");
  }

  /** The first sample of that name with these labels; 0 where there is none. */
  private double sample(String name, String labels) throws Exception {
    OptionalDouble value =
        Arrays.stream(http.get("/metrics").text().split("\n"))
            .filter(line -> line.startsWith(name + "{") && line.contains(labels))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .findFirst();
    return value.orElse(0);
  }
}
