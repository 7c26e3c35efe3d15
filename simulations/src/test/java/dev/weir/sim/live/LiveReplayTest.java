package dev.weir.sim.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import dev.weir.sim.live.Timeline.Count;
import dev.weir.sim.trace.Arrival;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LiveReplayTest {
  private static final long MILLI = 1_000_000L;
  private static final Question QUESTION = new Question("shop", "tenant", Map.of("api", "public"));

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Timeline timeline = new Timeline(List.of("eu-west", "us-east"), 10 * MILLI);

  @Test
  void everyArrivalIsAskedAtItsRegionOnceAndInOrder() throws IOException, InterruptedException {
    try (StubAgent europe = StubAgent.open(tenant -> !tenant.endsWith("7"));
        StubAgent america = StubAgent.open(tenant -> true)) {
      List<Arrival> arrivals = new ArrayList<>();
      List<String> inEurope = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        String region = i % 5 == 0 ? "us-east" : "eu-west";
        arrivals.add(new Arrival(i * MILLI / 10, region, "t" + i, 1));
        if (region.equals("eu-west")) {
          inEurope.add("t" + i);
        }
      }
      Outcome outcome =
          replay(europe.url(), america.url(), 1_000_000).run(arrivals.iterator(), n -> {});

      assertThat(europe.tenants()).containsExactlyInAnyOrderElementsOf(inEurope);
      assertThat(america.tenants()).hasSize(100);
      assertThat(timeline.total("eu-west", Count.ASKED)).isEqualTo(400);
      assertThat(timeline.total("eu-west", Count.REFUSED)).isEqualTo(50);
      assertThat(timeline.total("eu-west", Count.ADMITTED)).isEqualTo(350);
      assertThat(timeline.total("us-east", Count.ADMITTED)).isEqualTo(100);
      assertThat(timeline.total(Count.UNANSWERED)).isZero();
      assertThat(outcome.firstError()).isEmpty();
      assertThat(outcome.lengthNanos()).isGreaterThanOrEqualTo(49 * MILLI);
    }
  }

  @Test
  void theOracleSeesAllRegionsAndWhatAgentsRefusedAloneIsCounted()
      throws IOException, InterruptedException {
    try (StubAgent none = StubAgent.open(tenant -> false)) {
      List<Arrival> arrivals = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        arrivals.add(new Arrival(0, i % 2 == 0 ? "eu-west" : "us-east", "t" + i, 1));
      }
      replay(none.url(), none.url(), 15).run(arrivals.iterator(), n -> {});
      assertThat(timeline.total(Count.ORACLE_ADMITTED)).isEqualTo(15);
      assertThat(timeline.total(Count.REFUSED_ALONE)).isEqualTo(15);
      assertThat(timeline.total(Count.REFUSED)).isEqualTo(20);
    }
  }

  @Test
  void anAgentThatDoesNotAnswerDoesNotSlowTheLoad() throws IOException, InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    try (StubAgent slow = new StubAgent(tenant -> true, gate, 200)) {
      List<Arrival> arrivals = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        arrivals.add(new Arrival(i * (5 * MILLI), "eu-west", "t" + i, 1));
      }
      // The first answer comes only when the last arrival is due: a closed loop would never get
      // there.
      LiveReplay replay = replay(slow.url(), slow.url(), 1_000_000);
      replay.run(
          arrivals.iterator(),
          passedNanos -> {
            if (passedNanos >= 39 * 5 * MILLI) {
              gate.countDown();
            }
          });
      assertThat(timeline.total(Count.ADMITTED)).isEqualTo(40);
    }
  }

  @Test
  void anAnswerThatIsNoneIsNeitherAdmittedNorRefused() throws IOException, InterruptedException {
    try (StubAgent broken = new StubAgent(tenant -> true, new CountDownLatch(0), 503)) {
      List<Arrival> arrivals = List.of(new Arrival(0, "eu-west", "a", 1));
      Outcome outcome = replay(broken.url(), broken.url(), 10).run(arrivals.iterator(), n -> {});
      assertThat(timeline.total(Count.UNANSWERED)).isEqualTo(1);
      assertThat(timeline.total(Count.ADMITTED) + timeline.total(Count.REFUSED)).isZero();
      assertThat(outcome.firstError())
          .hasValueSatisfying(error -> assertThat(error).contains("answered 503"));
    }
  }

  private LiveReplay replay(URI europe, URI america, long burst) {
    QuotaSpec quota =
        QuotaSpec.leased(
            new QuotaId("shop", "public-api"),
            List.of(new Match("api", "public")),
            new Rate(1, Rate.MAX_PER_NANOS),
            Tokens.micros(burst));
    DomainBook domain =
        new DomainBook(
            "shop",
            List.of(new Region("eu-west", 1), new Region("us-east", 1)),
            List.of(quota.withMaxCost(Tokens.MICROS_PER_TOKEN)));
    return new LiveReplay(
        Map.of(
            "eu-west", new AgentClient(http, europe, QUESTION),
            "us-east", new AgentClient(http, america, QUESTION)),
        new Oracle(new QuotaBook(1, Map.of("shop", domain)), QUESTION),
        timeline);
  }
}
