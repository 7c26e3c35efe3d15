package dev.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.coordinator.state.StartWord;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the next run of a coordinator makes of what agents declare. */
class RestartTest {
  private static final BucketId API = new BucketId(new QuotaId("shop", "public-api"), "");

  @TempDir Path folder;

  /** C10. */
  @Test
  void aDeclarationOfNonsenseIsConfirmedUpToTheQuotaLessFloorsAndNoted() throws Exception {
    Site site = new Site(folder);
    site.start(new StartWord.FirstStart()).close();
    try (Coordinator again = site.start(new StartWord.None())) {
      Http http = new Http("http://" + again.http());
      assertThat(http.get("/readyz").json().path("learning").asBoolean()).isTrue();
      Share nonsense = new Share(Tokens.micros(1_000_000_000), Tokens.micros(1_000_000_000));
      TestAgent liar = new TestAgent("eu-west", API, 1_000_000_000L).claiming(nonsense);

      assertThat(liar.ask(http)).as("tokens").isZero();

      assertThat(liar.held().rateMicros()).isBetween(Tokens.micros(80), Tokens.micros(90) + 2);
      assertThat(liar.held().burstMicros()).isBetween(Tokens.micros(80), Tokens.micros(90) + 2);
      JsonNode events = http.get("/v1/events").json().path("events");
      assertThat(events.findValuesAsText("message"))
          .anyMatch(said -> said.contains("shop/public-api") && said.contains("declared in sum"));
    }
  }
}
