package dev.weir.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.SharedTerms;
import dev.weir.core.bucket.Standing;
import dev.weir.core.math.Nanos;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** More buckets need the coordinator than one request has room for. */
class EdgeTurnsTest {
  private static final long TICK_NANOS = 100 * Nanos.MILLISECOND_NANOS;
  private static final int ROOM = RequestRoom.MOST;
  private static final QuotaId QUOTA = new QuotaId("public", "api");
  private static final Footing NOTHING = Footing.nothing(Standing.NO_LEASE);

  private final Map<BucketId, HotBucket> buckets = new HashMap<>();
  private long nowNanos;
  private final Edge edge =
      new Edge(
          "eu-west",
          "folder",
          1,
          book(),
          LeaseTiming.DEFAULT,
          Rules.ALL,
          new Floorless(),
          nowNanos,
          nowNanos);

  @Test
  void bucketsThatStayDryDoNotKeepOthersOut() {
    Set<BucketId> heard = new HashSet<>();
    for (int tick = 0; tick < 3; tick++) {
      askAll(2 * ROOM + 500);
      nowNanos += TICK_NANOS;
      SyncRequest request = Objects.requireNonNull(edge.tick(nowNanos, nowNanos));
      assertThat(request.buckets()).hasSize(ROOM);
      request.buckets().stream().map(BucketReport::bucket).forEach(heard::add);
      answer(request);
    }
    assertThat(heard).hasSize(2 * ROOM + 500);
  }

  @Test
  void theRestIsForTheNextRequestWhichDoesNotWaitForTheTick() {
    askAll(ROOM + 1);
    nowNanos += TICK_NANOS;
    SyncRequest first = Objects.requireNonNull(edge.tick(nowNanos, nowNanos));
    answer(first);
    assertThat(edge.isSoon()).isTrue();
    nowNanos += Edge.AT_ONCE_NANOS;
    SyncRequest second = Objects.requireNonNull(edge.atOnce(nowNanos, nowNanos));
    assertThat(first.buckets())
        .extracting(BucketReport::bucket)
        .doesNotContain(second.buckets().get(0).bucket());
    answer(second);
    assertThat(edge.isSoon()).isFalse();
  }

  @Test
  void aCoordinatorThatAnswersLateIsAskedForLessAtATime() {
    long named = 0;
    for (int tick = 0; tick < 10; tick++) {
      named = askAndAnswer(tick == 0 ? 1 : 500);
    }
    assertThat(named).isEqualTo(RequestRoom.LEAST);
    for (int tick = 0; tick < 30; tick++) {
      named = askAndAnswer(1);
    }
    assertThat(named).isEqualTo(ROOM);
  }

  @Test
  void aLinkThatIsAlwaysSlowIsNoReasonToAskForLess() {
    for (int tick = 0; tick < 10; tick++) {
      assertThat(askAndAnswer(400)).isEqualTo(ROOM);
    }
  }

  @Test
  void afterATimeOutAQuarterIsAskedFor() {
    askAll(ROOM + 500);
    nowNanos += TICK_NANOS;
    assertThat(Objects.requireNonNull(edge.tick(nowNanos, nowNanos)).buckets()).hasSize(ROOM);
    edge.giveUp();
    assertThat(askAndAnswer(1)).isEqualTo(ROOM / 4);
  }

  /** Returns how many buckets a request names that is answered after so long. */
  private long askAndAnswer(long millis) {
    askAll(ROOM + 500);
    nowNanos += TICK_NANOS;
    SyncRequest request = Objects.requireNonNull(edge.tick(nowNanos, nowNanos));
    nowNanos += millis * Nanos.MILLISECOND_NANOS;
    answer(request);
    return request.buckets().size();
  }

  /** A request for each of so many buckets, all of which are refused. */
  private void askAll(int count) {
    for (int i = 0; i < count; i++) {
      BucketId id = new BucketId(QUOTA, "tenant=" + i);
      HotBucket bucket =
          buckets.computeIfAbsent(
              id, key -> new HotBucket(SharedTerms.first(NOTHING, 0, nowNanos)));
      assertThat(bucket.take(Tokens.MICROS_PER_TOKEN, nowNanos)).isNegative();
      edge.want(id, bucket, Tokens.MICROS_PER_TOKEN, nowNanos);
    }
  }

  private void answer(SyncRequest request) {
    Edge.Outcome unused =
        edge.on(
            new SyncAnswer(
                "cluster",
                request.boot(),
                request.seq(),
                SyncAnswer.Status.OK,
                "",
                1,
                null,
                null,
                false,
                List.of()),
            nowNanos,
            nowNanos);
  }

  private static QuotaBook book() {
    QuotaSpec quota =
        QuotaSpec.leased(
            QUOTA,
            List.of(Match.any("tenant")),
            Rate.perSecond(100),
            100 * Tokens.MICROS_PER_TOKEN);
    return new QuotaBook(
        1,
        Map.of(
            "public", new DomainBook("public", List.of(new Region("eu-west", 1)), List.of(quota))));
  }

  /** Keys of a region that has no floor. */
  private final class Floorless implements Keys {
    @Override
    public Footing floor(QuotaId quota) {
      return NOTHING;
    }

    @Override
    public void setFloor(QuotaId quota, Rate rate, long burstMicros, long until, long now) {}

    @Override
    public void extendFloor(QuotaId quota, long untilNanos) {}

    @Override
    public @Nullable HotBucket bucket(BucketId id) {
      return buckets.get(id);
    }

    @Override
    public void adopt(QuotaBook book) {}
  }
}
