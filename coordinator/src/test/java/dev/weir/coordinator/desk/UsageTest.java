package dev.weir.coordinator.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.message.QuotaUse;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UsageTest {
  private static final QuotaId API = new QuotaId("shop", "api");
  private static final QuotaId OTHER = new QuotaId("shop", "other");
  private static final QuotaBook BOOK =
      new QuotaBook(
          1,
          Map.of(
              "shop",
              new DomainBook(
                  "shop", List.of(new Region("eu", 1)), List.of(spec(API), spec(OTHER)))));

  private final Usage usage = new Usage();

  private static QuotaSpec spec(QuotaId id) {
    return QuotaSpec.leased(
        id, List.of(Match.any("tenant")), Rate.perSecond(10), Tokens.micros(10));
  }

  private void says(long boot, long seq, long used, long beside) {
    says(API, boot, seq, used, beside);
  }

  private void says(QuotaId quota, long boot, long seq, long used, long beside) {
    List<QuotaUse> uses = List.of(new QuotaUse(quota, used, beside));
    usage.heard(
        new SyncRequest("c", "eu", "f", boot, seq, 1, 0, false, List.of(), uses), BOOK, seq);
  }

  private Usage.Total total(QuotaId quota) {
    return usage.totals().getOrDefault(quota, Map.of()).getOrDefault("eu", new Usage.Total(0, 0));
  }

  @Test
  void runningTotalsOfRunsAreAddedUp() {
    says(1, 1, 5, 0);
    says(1, 2, 8, 1);
    says(2, 1, 4, 0);
    assertThat(total(API)).isEqualTo(new Usage.Total(12, 1));
  }

  @Test
  void lateAndDoubledRequestsCountOnce() {
    says(1, 1, 5, 0);
    says(1, 3, 9, 2);
    says(1, 2, 7, 1);
    says(1, 3, 9, 2);
    says(1, 4, 10, 2);
    assertThat(total(API)).isEqualTo(new Usage.Total(10, 2));
  }

  @Test
  void ofARunThatBeganBeforeOnlyWhatComesSinceCounts() {
    says(1, 77, 5_000, 100);
    assertThat(total(API)).isEqualTo(new Usage.Total(0, 0));
    says(1, 78, 5_003, 100);
    assertThat(total(API)).isEqualTo(new Usage.Total(3, 0));
    says(OTHER, 1, 79, 9_000, 0);
    says(OTHER, 1, 80, 9_001, 0);
    assertThat(total(OTHER)).isEqualTo(new Usage.Total(1, 0));
  }

  @Test
  void quotasThatAreNotThereAreNotCounted() {
    says(new QuotaId("shop", "invented"), 1, 1, 5, 0);
    assertThat(usage.totals()).isEmpty();
  }
}
