package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;

class FloorSplitTest {
  private static final List<Region> REGIONS =
      List.of(new Region("us-east", 1), new Region("eu-west", 2), new Region("ap-south", 1));

  @Test
  void aTenthIsDividedByWeight() {
    assertThat(FloorSplit.of(quota(6000, 5000, 25, 100_000), REGIONS))
        .containsExactly(
            entry("ap-south", share(150, 125)),
            entry("eu-west", share(300, 250)),
            entry("us-east", share(150, 125)));
  }

  @Test
  void aFloorHoldsAtLeastOneRequest() {
    assertThat(FloorSplit.of(quota(6000, 500, 25, 100_000), REGIONS))
        .containsExactly(
            entry("ap-south", share(150, 25)),
            entry("eu-west", share(300, 25)),
            entry("us-east", share(150, 25)));
  }

  @Test
  void floorsThatWouldTakeMoreThanHalfOfTheBurstAreNone() {
    assertThat(FloorSplit.of(quota(6000, 150, 25, 100_000), REGIONS).values())
        .containsOnly(share(150, 25), share(300, 25));
    assertThat(FloorSplit.of(quota(6000, 149, 25, 100_000), REGIONS).values())
        .containsExactly(Share.ZERO, Share.ZERO, Share.ZERO);
  }

  @Test
  void floorsOfMoreThanHalfAreGivenAsAskedFor() {
    assertThat(FloorSplit.of(quota(1000, 1000, 25, 900_000), REGIONS).values())
        .containsExactly(share(225, 225), share(450, 450), share(225, 225));
    assertThat(FloorSplit.of(quota(1000, 1000, 230, 900_000), REGIONS).values())
        .containsOnly(Share.ZERO);
  }

  @Test
  void aStrictQuotaAndOneWithoutFloorsHaveNone() {
    QuotaSpec strict =
        QuotaSpec.strict(
            new QuotaId("shop", "q"), List.of(), Rate.perSecond(1000), Tokens.micros(1000));
    assertThat(FloorSplit.of(strict, REGIONS).values()).containsOnly(Share.ZERO);
    assertThat(FloorSplit.of(quota(1000, 1000, 1, 0), REGIONS).values()).containsOnly(Share.ZERO);
    assertThat(FloorSplit.of(quota(1000, 1000, 1, 100_000), List.of())).isEmpty();
  }

  @Test
  void aLimitOfZeroHasNoFloorsSinceTheyStartEmptyAndNeverRefill() {
    assertThat(FloorSplit.of(quota(0, 100, 5, 100_000), REGIONS).values()).containsOnly(Share.ZERO);
  }

  static QuotaSpec quota(long perSecond, long burst, long maxCost, int floorPpm) {
    LeaseTerms terms = LeaseTerms.DEFAULT;
    return QuotaSpec.leased(
            new QuotaId("shop", "q"), List.of(), Rate.perSecond(perSecond), Tokens.micros(burst))
        .withMaxCost(Tokens.micros(maxCost))
        .withLease(
            new LeaseTerms(
                terms.ttlNanos(),
                floorPpm,
                true,
                terms.floorTtlNanos(),
                terms.lendTtlNanos(),
                LeaseTerms.DEFAULT_WAIT));
  }

  private static Share share(long rate, long burst) {
    return new Share(Tokens.micros(rate), Tokens.micros(burst));
  }
}
