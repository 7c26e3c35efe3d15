package dev.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.coordinator.state.StartWord;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LostDataTest {
  private static final String USERS = "/v1/domains/shop/quotas/users";

  @TempDir Path folder;

  /** Slow: it fills in 200 s, at a thousand a second. */
  private static final String SLOW =
      """
      domain: shop
      regions: {eu-west: {weight: 1}}
      quotas:
        - name: quick
          match: [{key: user}]
          limit: 1000/s
          burst: 200000
          lease: {ttl: 1s, floor: 0%}
        - name: slow
          match: [{key: tenant}]
          limit: 100/d
          burst: 1000
          lease: {ttl: 1s, floor: 0%}
      """;

  @Test
  void whatABucketNobodyAskedAboutHasSinceIsKnownToLaterStarts() throws Exception {
    Site site = new Site(folder);
    Files.writeString(site.quotas("shop.yaml"), SLOW);
    StartWord lost = new StartWord.LostData("old", 1_000_000_000L);
    double before;
    try (Coordinator coordinator = site.start(lost)) {
      Http http = new Http("http://" + coordinator.http());
      assertThat(untouched(http, "quick")).isBetween(0.0, 50_000.0);
      Await.until("much is made", () -> untouched(http, "quick") > 2_000);
      before = untouched(http, "quick");
      // Made since the loss: of this one nothing was granted.
      String quota = "{\"match\":[{\"key\":\"u\"}],\"limit\":\"10/d\",\"burst\":50}";
      assertThat(http.put(USERS, quota).status()).isEqualTo(201);
      Await.until(
          "what is known then is stored",
          () -> stored(site).path("freshMicros").path("shop/users").asLong() > 0);
    }
    assertThat(stored(site).path("ranSinceLossNanos").asLong()).isGreaterThan(2_000_000_000L);
    try (Coordinator coordinator = site.start(new StartWord.None())) {
      Http http = new Http("http://" + coordinator.http());
      assertThat(untouched(http, "quick")).isBetween(before, before + 20_000);
      assertThat(untouched(http, "slow")).isLessThan(1);
      assertThat(untouched(http, "users")).isGreaterThan(20);
      assertThat(http.get("/v1/events").text()).contains("of running ago");
    }
  }

  private static double untouched(Http http, String quota) throws Exception {
    String path = "/v1/domains/shop/quotas/" + quota + "/leases?key=";
    String key = quota.equals("slow") ? "tenant%3Da" : quota.equals("quick") ? "user%3Da" : "u%3Da";
    return http.get(path + key).json().path("untouched").asDouble(-1);
  }

  private static JsonNode stored(Site site) throws Exception {
    String text = Files.readString(site.data("quotas.json"));
    return new ObjectMapper().readTree(text.substring(text.indexOf('\n')));
  }
}
