package dev.weir.agent;

import dev.weir.core.Rules;
import dev.weir.core.bucket.Change;
import dev.weir.core.bucket.Footing;
import dev.weir.core.bucket.HotBucket;
import dev.weir.core.bucket.Standing;
import dev.weir.core.message.SyncAnswer;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.testkit.ManualTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One boot without a sync thread: a test plays the coordinator's part, on a clock moved by hand.
 */
final class Boot {
  static final long SECOND_NANOS = 1_000_000_000L;
  private static final long DAY_NANOS = 24 * 3600 * SECOND_NANOS;

  final ManualTicker clock = ManualTicker.startingAnywhere(new Random(7));
  final List<BucketId> wanted = new ArrayList<>();
  final Map<QuotaId, QuotaCounters> counters = new ConcurrentHashMap<>();
  final Life life;
  final Judge judge;
  private final Rules rules;

  Boot(QuotaSpec... quotas) {
    this(Rules.ALL, quotas);
  }

  Boot(Rules rules, QuotaSpec... quotas) {
    this(1_000_000, Agents.book(quotas), rules);
  }

  Boot(int keysMax, QuotaBook book) {
    this(keysMax, book, Rules.ALL);
  }

  private Boot(int keysMax, QuotaBook book, Rules rules) {
    this.rules = rules;
    life =
        new Life(
            book,
            "eu-west",
            new KeyRoom(keysMax),
            clock,
            id -> counters.computeIfAbsent(id, absent -> new QuotaCounters()),
            stored -> {});
    judge = new Judge(clock, (keys, bucket, cost) -> wanted.add(keys.id(bucket)), null, rules);
  }

  long now() {
    return clock.nanos();
  }

  /** A floor of all of the quota, good for a day. */
  void wholeFloor(QuotaSpec quota) {
    floor(quota, quota.rate(), quota.burstMicros());
  }

  void floor(QuotaSpec quota, Rate rate, long burstMicros) {
    life.setFloor(quota.id(), rate, burstMicros, now() + DAY_NANOS, now());
  }

  /** Time for any bucket to fill. */
  void fill() {
    clock.advance(100_000 * SECOND_NANOS / 10);
    heard();
  }

  /** An answer to a request sent just now. */
  void heard() {
    life.heard(
        new SyncAnswer("c1", 1, 1, SyncAnswer.Status.OK, "", 1, null, null, false, List.of()),
        now(),
        now());
  }

  /** Gives a key a lease, with tokens, for so long. */
  void lease(
      QuotaSpec quota, String tenant, long perSecond, long burst, long tokens, long lengthNanos) {
    Footing floor = life.floor(quota.id());
    Footing expired =
        new Footing(
            Standing.LEASE_EXPIRED,
            floor.share(),
            floor.perNanos(),
            floor.ends(),
            floor.endsAtNanos(),
            floor.next());
    Footing footing =
        Footing.lasting(
                Standing.LEASE,
                new Share(Tokens.micros(perSecond), Tokens.micros(burst)),
                SECOND_NANOS)
            .until(now() + lengthNanos, expired, rules);
    long unused =
        bucket(quota, tenant).change(new Change(footing, Tokens.micros(tokens), 0), now());
  }

  HotBucket bucket(QuotaSpec quota, String tenant) {
    return Objects.requireNonNull(life.bucket(new BucketId(quota.id(), "tenant=" + tenant)));
  }

  Decision ask(String tenant, long cost) {
    return ask(Descriptors.of("tenant", tenant), cost);
  }

  Decision ask(Descriptors descriptors, long cost) {
    return judge.decide(life, "shop", descriptors, Tokens.micros(cost), false);
  }
}
