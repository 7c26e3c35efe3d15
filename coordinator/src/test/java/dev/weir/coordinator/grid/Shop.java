package dev.weir.coordinator.grid;

import dev.weir.core.Rules;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.FloorBook;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.lease.Loss;
import dev.weir.core.message.BucketReport;
import dev.weir.core.message.OfferId;
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
import java.util.List;
import java.util.Map;

/** A quota that refills fast, one that takes a day, and three regions that share them. */
final class Shop {
  static final QuotaId FAST = new QuotaId("shop", "fast");
  static final QuotaId DAILY = new QuotaId("shop", "daily");
  static final HolderId EU = new HolderId("eu", 1);
  static final HolderId US = new HolderId("us", 1);
  private static final long DAY = 86_400_000_000_000L;

  private Shop() {}

  static QuotaBook book(long generation, QuotaSpec... quotas) {
    return new QuotaBook(
        generation,
        Map.of(
            "shop",
            new DomainBook(
                "shop",
                List.of(new Region("eu", 2), new Region("us", 1), new Region("ap", 1)),
                List.of(quotas))));
  }

  static QuotaSpec fast(long perSecond) {
    return QuotaSpec.leased(
        FAST, List.of(Match.any("tenant")), Rate.perSecond(perSecond), Tokens.micros(perSecond));
  }

  static QuotaSpec daily(long tokens) {
    return QuotaSpec.leased(
        DAILY, List.of(Match.any("tenant")), Rate.of(tokens, DAY), Tokens.micros(tokens));
  }

  static Desk desk(long authorityId, long nowNanos, QuotaSpec... quotas) {
    Desk desk =
        new Desk(
            Desk.Start.FIRST,
            authorityId,
            FloorBook.EMPTY,
            Map.of(),
            Loss.NONE,
            LeaseTiming.DEFAULT,
            Rules.ALL,
            nowNanos);
    desk.adopt(book(1, quotas), Map.of(), nowNanos);
    return desk;
  }

  static BucketId bucket(QuotaId quota, String tenant) {
    return new BucketId(quota, "tenant=" + tenant);
  }

  /** Nothing held, and so many tokens per second wanted. */
  static BucketReport wants(BucketId bucket, long perSecond) {
    return new BucketReport(
        bucket,
        OfferId.NONE,
        0,
        bucket.quota().equals(DAILY) ? DAY : 1_000_000_000L,
        Share.ZERO,
        0,
        0,
        Tokens.micros(perSecond),
        0,
        true);
  }
}
