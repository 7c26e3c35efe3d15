package dev.weir.agent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.SyncSettings;
import dev.weir.core.Rules;
import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.SharedTerms;
import dev.weir.core.bucket.Standing;
import dev.weir.core.lease.Edge;
import dev.weir.core.lease.Keys;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.message.FloorGrant;
import dev.weir.core.message.FloorShare;
import dev.weir.core.message.OfferId;
import dev.weir.core.message.QuotaUse;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.message.SyncAnswer.Status;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an agent speaks, and what it makes of replies and of silence; on a clock moved by hand. */
class ConversationTest {
  private static final long MILLI_NANOS = 1_000_000L;
  private static final long TICK_NANOS = 100 * MILLI_NANOS;
  private static final long SECOND_NANOS = 1_000 * MILLI_NANOS;
  private static final QuotaSpec API =
      QuotaSpec.leased(
          new QuotaId("shop", "api"),
          List.of(Match.any("tenant")),
          Rate.perSecond(100),
          Tokens.micros(100));
  private static final QuotaBook BOOK =
      new QuotaBook(
          1,
          Map.of("shop", new DomainBook("shop", List.of(new Region("eu-west", 1)), List.of(API))));

  private final ManualTicker clock = ManualTicker.startingAnywhere(new Random(3));
  private final FakeTransport transport = new FakeTransport();
  private final FakeBoots boots = new FakeBoots();
  private Conversation talk = conversation(1);
  private long nextNanos;

  @BeforeEach
  void start() throws IOException {
    talk.start(clock.nanos());
  }

  // ------------------------------------------------------------------------------ ticks

  @Test
  void theFirstRequestGoesOutAtOnceAndThenAKeepAliveEachSecond() {
    step();
    assertThat(transport.sent).hasSize(1);
    answer(Status.OK);
    for (int tick = 0; tick < 30; tick++) {
      wake();
      answerIfSent();
    }
    assertThat(transport.sent).hasSize(1 + 3);
  }

  @Test
  void ticksKeepTheirStepHoweverLateOneIs() {
    step();
    answer(Status.OK);
    long firstNanos = nextNanos;
    clock.advance(firstNanos - clock.nanos() + 3 * TICK_NANOS + 7 * MILLI_NANOS);
    step();
    assertThat((nextNanos - firstNanos) % TICK_NANOS).isZero();
    assertThat(nextNanos - clock.nanos()).isEqualTo(93 * MILLI_NANOS);
  }

  @Test
  void oneRequestIsOutAtATime() {
    step();
    answer(Status.OK);
    clock.advance(SECOND_NANOS);
    step();
    wantADryBucket();
    for (int tick = 0; tick < 5; tick++) {
      wake();
    }
    assertThat(transport.sent).hasSize(2);
    answer(Status.OK);
    step();
    assertThat(transport.sent).hasSize(3);
    assertThat(transport.newest().buckets()).hasSize(1);
  }

  @Test
  void aDryBucketIsMadeKnownAtOnceButNotTwiceWithinTwentyMillis() {
    step();
    answer(Status.OK);
    clock.advance(30 * MILLI_NANOS);
    wantADryBucket();
    step();
    assertThat(transport.sent).hasSize(2);
    answer(Status.OK);
    clock.advance(5 * MILLI_NANOS);
    want("other");
    step();
    assertThat(transport.sent).as("too soon").hasSize(2);
    assertThat(nextNanos - clock.nanos()).isEqualTo(15 * MILLI_NANOS);
    wake();
    assertThat(transport.sent).hasSize(3);
  }

  @Test
  void aBusyLoadThatLeavesIsToldWithoutWaitingForTheTick() {
    step();
    answer(Status.OK);
    HotBucket bucket = new HotBucket(boots.keys.terms);
    BucketId id = new BucketId(API.id(), "tenant=acme");
    for (int milli = 0; milli < 1_000; milli++) {
      clock.advance(MILLI_NANOS);
      for (int i = 0; i < 2; i++) {
        long unused = bucket.take(Tokens.micros(1), clock.nanos());
      }
      talk.want(id, bucket, 1_000_000, clock.nanos());
      stepIfDue();
      if (talk.isOut()) {
        offer(id);
      }
    }
    long leftNanos = clock.nanos();
    while (clock.nanos() - leftNanos < SECOND_NANOS
        && (transport.newest().buckets().isEmpty()
            || !transport.newest().buckets().get(0).held().isZero())) {
      wake();
      if (talk.isOut()) {
        offer(id);
      }
    }
    assertThat(clock.nanos() - leftNanos)
        .isLessThanOrEqualTo(2 * Edge.LOOK_NANOS + Edge.AT_ONCE_NANOS);
  }

  private void stepIfDue() {
    if (clock.nanos() - nextNanos >= 0) {
      step();
    }
  }

  private void offer(BucketId id) {
    SyncRequest request = transport.newest();
    BucketOffer offer =
        new BucketOffer(
            id,
            new OfferId(1, request.seq()),
            SECOND_NANOS,
            new Share(Tokens.micros(90), Tokens.micros(90)),
            0,
            10 * SECOND_NANOS,
            false,
            false,
            false);
    SyncAnswer answer = answerTo(request, Status.OK);
    transport.onReply.accept(
        new Reply.Answered(
            new SyncAnswer(
                answer.cluster(),
                answer.boot(),
                answer.seq(),
                answer.status(),
                answer.detail(),
                answer.newestBoot(),
                answer.book(),
                answer.floor(),
                answer.drained(),
                List.of(offer))));
    step();
  }

  // ------------------------------------------------------------------------------ what was used

  @Test
  void whatWasAdmittedIsSaidUntilItHasBeenHeard() {
    boots.keys.uses = List.of(use(5, 0));
    step();
    assertThat(transport.newest().uses()).containsExactly(use(5, 0));
    answer(Status.OK);
    clock.advance(SECOND_NANOS);
    step();
    assertThat(transport.newest().uses()).as("heard").isEmpty();
    answer(Status.OK);
    boots.keys.uses = List.of(use(7, 1));
    clock.advance(SECOND_NANOS);
    step();
    assertThat(transport.newest().uses()).containsExactly(use(7, 1));
    fail();
    clock.advance(5 * SECOND_NANOS);
    step();
    assertThat(transport.newest().uses()).as("not heard").containsExactly(use(7, 1));
  }

  @Test
  void aBootSaysWhatWasAdmittedSinceItBegan() throws IOException {
    boots.keys.uses = List.of(use(5, 2));
    talk = conversation(1);
    talk.start(clock.nanos());
    boots.keys.uses = List.of(use(8, 2));
    step();
    assertThat(transport.newest().uses()).containsExactly(use(3, 0));
  }

  private static QuotaUse use(long tokens, long beside) {
    return new QuotaUse(API.id(), Tokens.micros(tokens), Tokens.micros(beside));
  }

  // ------------------------------------------------------------------------------ failures

  @Test
  void theOthersOfTheListAreTriedBeforeAnythingIsWaitedFor() throws IOException {
    talk = conversation(3);
    talk.start(clock.nanos());
    for (int i = 0; i < 3; i++) {
      step();
      assertThat(transport.sent).hasSize(i + 1);
      assertThat(transport.turns).isEqualTo(i);
      fail();
      assertThat(talk.status().state()).isEqualTo(SyncStatus.State.UNREACHABLE);
    }
    step();
    assertThat(transport.sent).as("backs off").hasSize(3);
  }

  /**
   * C7: capped, so that it is back within seconds; jittered, so that it does not come as a herd.
   */
  @Seeds(tries = 50)
  void withoutACoordinatorTheWaitsGrowUpToACapAndDiffer(Random random) throws IOException {
    talk = conversation(1, random);
    talk.start(clock.nanos());
    step();
    long longestNanos = 0;
    long sumNanos = 0;
    for (int failures = 0; failures < 100; failures++) {
      fail();
      long failedNanos = clock.nanos();
      int before = transport.sent.size();
      while (transport.sent.size() == before) {
        wake();
      }
      longestNanos = Math.max(longestNanos, clock.nanos() - failedNanos);
      sumNanos += clock.nanos() - failedNanos;
    }
    assertThat(longestNanos).isLessThanOrEqualTo(Backoff.WAIT_NANOS_MAX + TICK_NANOS);
    assertThat(sumNanos / 100).isBetween(500 * MILLI_NANOS, 1_500 * MILLI_NANOS);
    assertThat(talk.status().failures()).isEqualTo(100);

    answer(Status.OK);
    assertThat(talk.status().state()).isEqualTo(SyncStatus.State.NORMAL);
    assertThat(talk.status().failures()).isZero();
  }

  @Test
  void aReplyThatNeverComesIsNotWaitedForForEver() {
    step();
    clock.advance(SyncSettings.DEFAULT.timeoutNanos() + Conversation.FORGOTTEN_NANOS - 1);
    step();
    assertThat(talk.isOut()).isTrue();
    clock.advance(1);
    step();
    assertThat(talk.status().failures()).isEqualTo(1);
    clock.advance(Backoff.WAIT_NANOS_MAX);
    step();
    assertThat(transport.sent).hasSize(2);
  }

  /** S3. */
  @Test
  void aReplyToARequestThatWasGivenUpChangesNothing() {
    step();
    Consumer<Reply> late = transport.onReply;
    fail();
    clock.advance(Backoff.WAIT_NANOS_MAX);
    step();
    assertThat(transport.sent).hasSize(2);
    late.accept(new Reply.Answered(answerTo(transport.sent.get(0), Status.OK)));
    assertThat(talk.isOut()).isTrue();
    assertThat(boots.heard).isZero();
  }

  @Test
  void aCoordinatorOfAnotherClusterCountsAsNone() {
    step();
    answer(Status.OK);
    clock.advance(SECOND_NANOS);
    step();
    transport.onReply.accept(
        new Reply.Answered(answerTo(transport.newest(), Status.OK, "another", QuotaBook.EMPTY)));
    assertThat(talk.status().state()).isEqualTo(SyncStatus.State.UNREACHABLE);
    assertThat(talk.status().detail()).contains("another");
    assertThat(boots.heard).isEqualTo(1);
  }

  @Test
  void aRefusalCountsAsNoAnswerAndIsShown() {
    step();
    transport.onReply.accept(new Reply.Refused("status 409, another cluster's"));
    assertThat(talk.status().state()).isEqualTo(SyncStatus.State.UNREACHABLE);
    assertThat(talk.status().detail()).endsWith(": status 409, another cluster's");
    clock.advance(Backoff.WAIT_NANOS_MAX);
    step();
    assertThat(transport.sent).hasSize(2);
  }

  @Test
  void whyItHasNoFloorsIsShownUntilItHasThem() {
    step();
    SyncAnswer answer = answerTo(transport.newest(), Status.OK);
    transport.onReply.accept(
        new Reply.Answered(
            new SyncAnswer(
                answer.cluster(),
                answer.boot(),
                answer.seq(),
                Status.OK,
                "run 3 may still use them",
                answer.newestBoot(),
                answer.book(),
                null,
                false,
                List.of())));
    assertThat(talk.status().state()).isEqualTo(SyncStatus.State.NORMAL);
    assertThat(talk.status().floorVersion()).isZero();
    assertThat(talk.status().detail()).isEqualTo("run 3 may still use them");
    clock.advance(SECOND_NANOS);
    step();
    answer(Status.OK);
    assertThat(talk.status().detail()).isEmpty();
  }

  /** S7: also while nothing can be sent. */
  @Test
  void aMachineThatSleptIsNoticedAtTheNextTickOfABackOff() {
    step();
    answer(Status.OK);
    assertThat(boots.keys.floors).isEqualTo(1);
    clock.advance(SECOND_NANOS);
    step();
    fail();
    boots.wallAheadNanos = 60 * SECOND_NANOS;
    clock.advance(TICK_NANOS);
    step();
    assertThat(boots.keys.rests).isEqualTo(1);
  }

  /** S7: the bound knows nothing of how often an agent is told to sync. */
  @Test
  void aMachineThatSleptIsNoticedWithinATenthOfASecondHoweverSeldomItSyncs() throws IOException {
    talk = conversation(1, new SyncSettings(10 * SECOND_NANOS, SECOND_NANOS), new Random(1));
    talk.start(clock.nanos());
    step();
    answer(Status.OK);
    wake();
    assertThat(boots.keys.rests).isZero();
    boots.wallAheadNanos = 60 * SECOND_NANOS;
    long wokenNanos = clock.nanos();
    wake();
    assertThat(boots.keys.rests).isEqualTo(1);
    assertThat(clock.nanos() - wokenNanos).isLessThanOrEqualTo(Conversation.CLOCKS_NANOS);
  }

  // ------------------------------------------------------------------------------ fences

  @Test
  void aNewcomerThatIsFencedBeginsAgainAboveTheNumberItIsTold() {
    step();
    transport.onReply.accept(
        new Reply.Answered(answerTo(transport.newest(), Status.FENCED, "c1", null, 77)));
    assertThat(boots.ended).containsExactly(SyncStatus.State.FENCED);
    clock.advance(Backoff.WAIT_NANOS_MAX);
    step();
    assertThat(boots.told).containsExactly(0L, 77L);
    assertThat(transport.newest().boot()).isEqualTo(78);
  }

  /** Two agents with one region's name must not fence each other in turn, many times a second. */
  @Test
  void anAgentThatServedWaitsBeforeItComesBackAndLongerEachTime() {
    long waitNanos = Conversation.FENCED_WAIT_NANOS;
    step();
    for (int fenced = 0; fenced < 3; fenced++) {
      answer(Status.OK);
      clock.advance(SECOND_NANOS);
      step();
      int before = transport.sent.size();
      transport.onReply.accept(
          new Reply.Answered(
              answerTo(transport.newest(), Status.FENCED, "c1", null, 1_000L * (fenced + 1))));
      assertThat(talk.status().state()).isEqualTo(SyncStatus.State.FENCED);
      assertThat(talk.status().detail())
          .contains("tries again after " + waitNanos / SECOND_NANOS + " s");
      clock.advance(waitNanos - 1);
      step();
      assertThat(transport.sent).hasSize(before);
      clock.advance(1);
      step();
      assertThat(transport.sent).hasSize(before + 1);
      waitNanos *= 2;
    }
    assertThat(boots.told).containsExactly(0L, 1_000L, 2_000L, 3_000L);
  }

  @Test
  void aBootNumberThatCannotBeWrittenDownIsTriedAgain() {
    step();
    boots.broken = true;
    transport.onReply.accept(
        new Reply.Answered(answerTo(transport.newest(), Status.FENCED, "c1", null, 77)));
    clock.advance(Backoff.WAIT_NANOS_MAX);
    step();
    assertThat(talk.status().detail()).isEqualTo("no new run can begin: disk full");
    boots.broken = false;
    clock.advance(10 * SECOND_NANOS);
    step();
    assertThat(transport.newest().boot()).isEqualTo(78);
  }

  @Test
  void anUnknownRegionIsAskedForNowAndThen() {
    step();
    for (int i = 0; i < 5; i++) {
      transport.onReply.accept(
          new Reply.Answered(answerTo(transport.newest(), Status.UNKNOWN_REGION)));
      assertThat(talk.status().state()).isEqualTo(SyncStatus.State.UNKNOWN_REGION);
      clock.advance(Conversation.UNKNOWN_WAIT_NANOS);
      step();
      assertThat(transport.sent).hasSize(i + 2);
    }
    assertThat(boots.heard).as("nothing was given: that is no contact").isZero();
  }

  // ------------------------------------------------------------------------------ the end

  @Test
  void theLastRequestSaysThatItIsTheLastAndIsSentOnceMoreIfItMustBe() {
    step();
    assertThat(talk.leave(clock.nanos())).isTrue();
    assertThat(transport.newest().leaving()).isTrue();
    assertThat(boots.ended).containsExactly(SyncStatus.State.LEFT);
    fail();
    talk.leaveAgain(clock.nanos());
    assertThat(transport.newest().leaving()).isTrue();
    assertThat(transport.sent).hasSize(3);
    assertThat(talk.isOut()).isTrue();
  }

  // ------------------------------------------------------------------------------ helpers

  private Conversation conversation(int coordinators) {
    return conversation(coordinators, new Random(1));
  }

  private Conversation conversation(int coordinators, Random random) {
    return conversation(coordinators, SyncSettings.DEFAULT, random);
  }

  private Conversation conversation(int coordinators, SyncSettings settings, Random random) {
    return new Conversation(
        transport,
        coordinators,
        settings,
        boots,
        (number, reply) -> talk.on(number, reply, clock.nanos(), wall()),
        random::nextDouble);
  }

  private long wall() {
    return clock.nanos() + boots.wallAheadNanos;
  }

  private void step() {
    nextNanos = talk.step(clock.nanos(), wall());
  }

  /** Sleeps until it asked to be woken. */
  private void wake() {
    clock.advance(Math.max(1, nextNanos - clock.nanos()));
    step();
  }

  private void fail() {
    transport.onReply.accept(new Reply.Failed("no connection"));
    step();
  }

  private void answer(Status status) {
    transport.onReply.accept(new Reply.Answered(answerTo(transport.newest(), status)));
    step();
  }

  private void answerIfSent() {
    if (talk.isOut()) {
      answer(Status.OK);
    }
  }

  private void wantADryBucket() {
    want("acme");
  }

  private void want(String tenant) {
    talk.want(
        new BucketId(API.id(), "tenant=" + tenant),
        new HotBucket(boots.keys.terms),
        1_000_000,
        clock.nanos());
  }

  private static SyncAnswer answerTo(SyncRequest request, Status status) {
    return answerTo(request, status, "c1", request.generation() == 0 ? BOOK : null);
  }

  private static SyncAnswer answerTo(
      SyncRequest request, Status status, String cluster, @Nullable QuotaBook book) {
    return answerTo(request, status, cluster, book, request.boot());
  }

  private static SyncAnswer answerTo(
      SyncRequest request,
      Status status,
      String cluster,
      @Nullable QuotaBook book,
      long newestBoot) {
    return new SyncAnswer(
        cluster,
        request.boot(),
        request.seq(),
        status,
        status == Status.OK ? "" : status.name(),
        newestBoot,
        book,
        new FloorGrant(
            1,
            request.floorVersion() == 1
                ? null
                : Map.of(
                    API.id(), new FloorShare(SECOND_NANOS, new Share(1, 1), 60 * SECOND_NANOS))),
        false,
        List.of());
  }

  /** Keeps what was sent. */
  private static final class FakeTransport implements Transport {
    final List<SyncRequest> sent = new ArrayList<>();
    Consumer<Reply> onReply = reply -> {};
    int turns;

    @Override
    public void send(SyncRequest request, Consumer<Reply> reply) {
      sent.add(request);
      onReply = reply;
    }

    SyncRequest newest() {
      return sent.get(sent.size() - 1);
    }

    @Override
    public void turn() {
      turns++;
    }

    @Override
    public String address() {
      return "coordinator " + turns;
    }

    @Override
    public void close() {}
  }

  /** Boots numbered from 1, or above the number told. */
  private final class FakeBoots implements Boots {
    final List<Long> told = new ArrayList<>();
    final List<SyncStatus.State> ended = new ArrayList<>();
    final FakeKeys keys = new FakeKeys();
    boolean broken;
    long wallAheadNanos;
    int heard;

    @Override
    public Boot begin(long number) throws IOException {
      if (broken) {
        throw new IOException("disk full");
      }
      told.add(number);
      Edge edge =
          new Edge(
              "eu-west",
              "folder",
              number + 1,
              QuotaBook.EMPTY,
              LeaseTiming.DEFAULT,
              Rules.ALL,
              keys,
              clock.nanos(),
              wall());
      return new Boot(number + 1, edge);
    }

    @Override
    public void end(SyncStatus.State why) {
      ended.add(why);
    }

    @Override
    public void heard(SyncAnswer answer, long sentAtNanos, long nowNanos) {
      heard++;
    }
  }

  /** Keys nobody asks for; counts floors given and rested. */
  private static final class FakeKeys implements Keys {
    final SharedTerms terms = SharedTerms.first(Footing.nothing(Standing.NO_LEASE), 0, 0);
    List<QuotaUse> uses = List.of();
    int floors;
    int rests;

    @Override
    public List<QuotaUse> uses() {
      return uses;
    }

    @Override
    public Footing floor(QuotaId quota) {
      return Footing.nothing(Standing.NO_LEASE);
    }

    @Override
    public void setFloor(
        QuotaId quota, Rate rate, long burstMicros, long untilNanos, long nowNanos) {
      if (burstMicros > 0) {
        floors++;
      } else {
        rests++;
      }
    }

    @Override
    public void extendFloor(QuotaId quota, long untilNanos) {}

    @Override
    public @Nullable HotBucket bucket(BucketId id) {
      return null;
    }

    @Override
    public void adopt(QuotaBook book) {}
  }
}
