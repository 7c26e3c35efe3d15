package dev.weir.coordinator.grid;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.Endpoint;
import dev.weir.coordinator.Await;
import dev.weir.core.Rules;
import dev.weir.core.lease.Desk;
import dev.weir.core.message.BucketOffer;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.testkit.ManualTicker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GridTest {
  private static final long SECOND = 1_000_000_000L;

  private final ManualTicker ticker = ManualTicker.at(Long.MAX_VALUE - 3 * SECOND);
  private final MapMarks marks = new MapMarks();
  private final List<Grid> grids = new ArrayList<>();

  @AfterEach
  void leave() {
    grids.forEach(Grid::close);
  }

  @Test
  void aStepRunsOnTheOwnersClockAndLeavesALedger() throws Exception {
    LedgerOwner owner = owner(7);
    LedgerMap ledgers = join(alone(), owner).ledgers();
    Desk desk = Shop.desk(7, ticker.nanos(), Shop.fast(100), Shop.daily(1000));
    owner.view(DeskView.of(desk, ticker.nanos()));
    BucketId acme = Shop.bucket(Shop.FAST, "acme");

    BucketOffer offer = offered(ledgers.report(Shop.wants(acme, 50), Shop.EU, 1));
    assertThat(offer.id().authority()).isEqualTo(7);
    assertThat(offer.share().rateMicros()).isPositive();
    assertThat(get(ledgers.report(Shop.wants(acme, 50), Shop.EU, 1)).offer())
        .as("the same request again")
        .isNull();

    ticker.advance(5 * SECOND);
    LedgerSeen seen = get(ledgers.peek(acme));
    assertThat(seen).isNotNull();
    assertThat(seen.nowNanos()).isEqualTo(ticker.nanos());
    assertThat(seen.ledger().holders()).containsOnlyKeys(Shop.EU);
    assertThat(get(ledgers.peek(Shop.bucket(Shop.FAST, "nobody")))).isNull();
  }

  @Test
  void grantsOfASlowBucketWaitForTheirMark() throws Exception {
    LedgerOwner owner = owner(7);
    LedgerMap ledgers = join(alone(), owner).ledgers();
    Desk desk = Shop.desk(7, ticker.nanos(), Shop.fast(100), Shop.daily(1000));
    owner.view(DeskView.of(desk, ticker.nanos()));
    BucketId fast = Shop.bucket(Shop.FAST, "acme");
    BucketId daily = Shop.bucket(Shop.DAILY, "acme");

    assertThat(get(ledgers.report(Shop.wants(fast, 50), Shop.EU, 1)).waitsForMark()).isFalse();
    LedgerReply reply = get(ledgers.report(Shop.wants(daily, 50), Shop.EU, 1));
    assertThat(reply.offer()).isNotNull();
    assertThat(reply.waitsForMark()).isTrue();
    LedgerSeen seen = get(ledgers.peek(daily));
    assertThat(marks.marks).containsOnlyKeys(daily);
    assertThat(marks.marks.get(daily)).isEqualTo(seen.ledger().mark());
    assertThat(seen.ledger().pool().levelMicros())
        .isGreaterThanOrEqualTo(seen.ledger().mark().levelMicros());
  }

  @Test
  void aLedgerIsForgottenWithItsMarkOnceItIsFullAgain() throws Exception {
    LedgerOwner owner = owner(7);
    LedgerMap ledgers = join(alone(), owner).ledgers();
    Desk desk = Shop.desk(7, ticker.nanos(), Shop.fast(100), Shop.daily(1000));
    owner.view(DeskView.of(desk, ticker.nanos()));
    BucketId daily = Shop.bucket(Shop.DAILY, "acme");
    offered(ledgers.report(Shop.wants(daily, 50), Shop.EU, 1));

    ticker.advance(3600 * SECOND);
    ledgers.sweep();
    assertThat(ledgers.size()).as("not full after an hour").isEqualTo(1);
    ticker.advance(25 * 3600 * SECOND);
    ledgers.sweep();
    assertThat(ledgers.size()).isZero();
    assertThat(marks.marks).isEmpty();
  }

  @Test
  void aRemovedQuotaTakesItsLedgersAndMarksAlong() throws Exception {
    LedgerOwner owner = owner(7);
    LedgerMap ledgers = join(alone(), owner).ledgers();
    Desk desk = Shop.desk(7, ticker.nanos(), Shop.fast(100), Shop.daily(1000));
    owner.view(DeskView.of(desk, ticker.nanos()));
    offered(ledgers.report(Shop.wants(Shop.bucket(Shop.DAILY, "acme"), 50), Shop.EU, 1));
    offered(ledgers.report(Shop.wants(Shop.bucket(Shop.FAST, "acme"), 50), Shop.EU, 1));

    desk.adopt(Shop.book(2, Shop.fast(100)), Map.of(), ticker.nanos());
    owner.view(DeskView.of(desk, ticker.nanos()));
    ledgers.adopt(Set.of(Shop.DAILY));
    assertThat(ledgers.size()).isEqualTo(1);
    assertThat(marks.marks).isEmpty();
    LedgerReply reply =
        get(ledgers.report(Shop.wants(Shop.bucket(Shop.DAILY, "acme"), 50), Shop.EU, 2));
    assertThat(reply.offer()).isNull();
  }

  @Test
  void aBucketThatBecomesSlowGetsAMark() throws Exception {
    LedgerOwner owner = owner(7);
    LedgerMap ledgers = join(alone(), owner).ledgers();
    Desk desk = Shop.desk(7, ticker.nanos(), Shop.daily(1_000_000_000L));
    owner.view(DeskView.of(desk, ticker.nanos()));
    desk.adopt(Shop.book(2, fastDaily()), Map.of(), ticker.nanos());
    owner.view(DeskView.of(desk, ticker.nanos()));
    BucketId acme = Shop.bucket(Shop.DAILY, "acme");
    offered(ledgers.report(Shop.wants(acme, 50), Shop.EU, 1));
    assertThat(marks.marks).isEmpty();

    desk.adopt(Shop.book(3, Shop.daily(1000)), Map.of(), ticker.nanos());
    owner.view(DeskView.of(desk, ticker.nanos()));
    ledgers.adopt(Set.of(Shop.DAILY));
    LedgerSeen seen = get(ledgers.peek(acme));
    assertThat(marks.marks.get(acme)).isEqualTo(seen.ledger().mark());
    assertThat(seen.ledger().mark().levelMicros())
        .isLessThanOrEqualTo(seen.ledger().pool().levelMicros());
  }

  /** The change is known to all steps before it is taken into every ledger. */
  @Test
  void aBucketThatHearsFromAnAgentThatItBecameSlowGetsAMark() throws Exception {
    LedgerOwner owner = owner(7);
    LedgerMap ledgers = join(alone(), owner).ledgers();
    Desk desk = Shop.desk(7, ticker.nanos(), fastDaily());
    owner.view(DeskView.of(desk, ticker.nanos()));
    BucketId acme = Shop.bucket(Shop.DAILY, "acme");
    offered(ledgers.report(Shop.wants(acme, 50), Shop.EU, 1));

    desk.adopt(Shop.book(2, Shop.daily(1000)), Map.of(), ticker.nanos());
    owner.view(DeskView.of(desk, ticker.nanos()));
    assertThat(get(ledgers.report(Shop.wants(acme, 0), Shop.US, 1)).offer()).isNull();
    ledgers.adopt(Set.of(Shop.DAILY));
    LedgerSeen seen = get(ledgers.peek(acme));
    assertThat(marks.marks.get(acme)).isEqualTo(seen.ledger().mark());
    assertThat(seen.ledger().mark().levelMicros())
        .isLessThanOrEqualTo(seen.ledger().pool().levelMicros());
  }

  @Test
  void stepsReachTheOwnerWhicheverMemberItIsAndCopiesGetTheResult() throws Exception {
    List<Endpoint> members = List.of(loopback(freePort()), loopback(freePort()));
    LedgerOwner first = owner(1);
    LedgerOwner second = owner(2);
    Grid one = join(new Grid.Members(members.get(0), members), first);
    Grid two = join(new Grid.Members(members.get(1), members), second);
    assertThat(two.size()).isEqualTo(2);
    Await.until(
        "half of the partitions each",
        () -> one.owned() > 100 && two.owned() > 100 && one.isSettled() && two.isSettled());
    long now = ticker.nanos();
    first.view(DeskView.of(Shop.desk(1, now, Shop.fast(100)), now));
    second.view(DeskView.of(Shop.desk(2, now, Shop.fast(100)), now));

    Set<BucketId> ofTheSecond = new HashSet<>();
    for (int tenant = 0; tenant < 40; tenant++) {
      BucketId bucket = Shop.bucket(Shop.FAST, "t" + tenant);
      BucketOffer offer = offered(one.ledgers().report(Shop.wants(bucket, 50), Shop.EU, 1));
      if (offer.id().authority() == 2) {
        ofTheSecond.add(bucket);
      }
      assertThat(get(one.ledgers().peek(bucket)).ledger())
          .isEqualTo(get(two.ledgers().peek(bucket)).ledger());
    }
    assertThat(ofTheSecond).hasSizeBetween(1, 39);

    // The copies of the one that leaves are of its authority, and nothing is built on them.
    grids.remove(two);
    two.close();
    for (BucketId bucket : ofTheSecond) {
      BucketOffer offer = offered(one.ledgers().report(Shop.wants(bucket, 50), Shop.US, 1));
      assertThat(offer.id().authority()).isEqualTo(1);
    }
  }

  @Test
  void aPortInUseIsAClearError() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Endpoint self = loopback(taken.getLocalPort());
      assertThatThrownBy(() -> Grid.join("c", new Grid.Members(self, List.of(self)), owner(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(self.toString());
    }
  }

  private static QuotaSpec fastDaily() {
    return QuotaSpec.leased(
        Shop.DAILY, List.of(Match.any("tenant")), Rate.perSecond(1000), 1_000_000_000L);
  }

  private LedgerOwner owner(long authority) {
    return new LedgerOwner(authority, ticker, marks, Rules.ALL);
  }

  private Grid join(Grid.Members members, LedgerOwner owner) throws IOException {
    Grid grid = Grid.join("test", members, owner);
    grids.add(grid);
    return grid;
  }

  private static Grid.Members alone() {
    Endpoint self = loopback(0);
    return new Grid.Members(self, List.of(self));
  }

  private static Endpoint loopback(int port) {
    return new Endpoint("127.0.0.1", port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static BucketOffer offered(CompletionStage<LedgerReply> reply) throws Exception {
    return Objects.requireNonNull(get(reply).offer(), "no offer");
  }

  private static <T extends @Nullable Object> T get(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(20, SECONDS);
  }
}
