package dev.weir.core.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuotaSpecTest {
  private static final QuotaId ID = new QuotaId("shop", "api");
  private static final List<Match> TENANT = List.of(Match.any("tenant"));

  private static QuotaSpec leased(Rate rate, long burstMicros) {
    return QuotaSpec.leased(ID, TENANT, rate, burstMicros);
  }

  @Test
  void theFastestAndTheLargestFit() {
    QuotaSpec quota = leased(Rate.perSecond(1_000_000_000L), Tokens.MAX_MICROS);
    assertThat(quota.whole()).isEqualTo(new Share(1_000_000_000_000_000L, Tokens.MAX_MICROS));
  }

  /** C19. */
  @Test
  void whatIsFasterOrLargerIsRefused() {
    assertThatThrownBy(() -> leased(new Rate(1_000_001, 1), Tokens.micros(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("rate must be at most 1000000000 tokens per second: ");
    assertThatThrownBy(() -> leased(new Rate(Long.MAX_VALUE, 1_000_000_000L), Tokens.micros(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("rate.micros must be in [0, 1000000000000000000]: ");
    assertThatThrownBy(() -> leased(Rate.perSecond(1), Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("burstMicros must be in [1000000, 1000000000000000000]: 9223372036854775807");
  }

  @Test
  void aLimitOfZeroIsAllowedAndABurstOfNothingIsNot() {
    assertThat(leased(Rate.ZERO, Tokens.micros(1)).rate().micros()).isZero();
    assertThatThrownBy(() -> leased(Rate.perSecond(1), Tokens.micros(1) - 1))
        .hasMessageStartingWith("burstMicros must be in");
  }

  @Test
  void theLargestCostIsATwentiethOfTheBurstUnlessStrict() {
    assertThat(leased(Rate.perSecond(1), Tokens.micros(500)).maxCostMicros())
        .isEqualTo(Tokens.micros(25));
    assertThat(leased(Rate.perSecond(1), Tokens.micros(39)).maxCostMicros())
        .isEqualTo(Tokens.micros(1));
    assertThat(leased(Rate.perSecond(1), Tokens.micros(1)).maxCostMicros())
        .isEqualTo(Tokens.micros(1));
    assertThat(QuotaSpec.strict(ID, TENANT, Rate.perSecond(1), Tokens.micros(10)).maxCostMicros())
        .isEqualTo(Tokens.micros(10));
  }

  @Test
  void aLargestCostAboveTheBurstIsRefused() {
    QuotaSpec quota = leased(Rate.perSecond(1), Tokens.micros(10));
    assertThat(quota.withMaxCost(Tokens.micros(10)).maxCostMicros()).isEqualTo(Tokens.micros(10));
    assertThatThrownBy(() -> quota.withMaxCost(Tokens.micros(10) + 1))
        .hasMessage("maxCostMicros must be in [1, 10000000]: 10000001");
    assertThatThrownBy(() -> quota.withMaxCost(0)).hasMessageStartingWith("maxCostMicros");
  }

  @Test
  void aFloorIsNoAnswerOnceTheFloorIsGone() {
    assertThatThrownBy(() -> withFallbacks(Fallback.FLOOR, Fallback.DENY))
        .hasMessage("onFloorExpiry cannot be floor: there is none then");
    assertThatThrownBy(() -> withFallbacks(Fallback.DENY, Fallback.FLOOR))
        .hasMessage("onStoreLoss cannot be floor: there is none then");
  }

  @Test
  void aLeasedQuotaIsATokenBucket() {
    QuotaSpec quota = leased(Rate.perSecond(1), Tokens.micros(1));
    assertThatThrownBy(
            () ->
                new QuotaSpec(
                    ID,
                    TENANT,
                    quota.rate(),
                    quota.burstMicros(),
                    quota.maxCostMicros(),
                    Enforcement.LEASED,
                    Mode.ENFORCE,
                    quota.lease(),
                    Fallback.FLOOR,
                    Fallback.DENY,
                    LostLedger.KNOWN,
                    Algorithm.SLIDING_LOG,
                    Fallback.DENY))
        .hasMessage("a leased quota is a TOKEN_BUCKET: SLIDING_LOG");
  }

  @Test
  void matchNamesAKeyOnceAndNotTooMany() {
    assertThatThrownBy(
            () ->
                QuotaSpec.leased(
                    ID,
                    List.of(Match.any("tenant"), new Match("tenant", "acme")),
                    Rate.perSecond(1),
                    Tokens.micros(1)))
        .hasMessage("match names a key twice: \"tenant\"");
    assertThatThrownBy(
            () ->
                QuotaSpec.leased(
                    ID,
                    Collections.nCopies(17, Match.any("tenant")),
                    Rate.perSecond(1),
                    Tokens.micros(1)))
        .hasMessage("conditions in match must be in [0, 16]: 17");
  }

  @Test
  void itMatchesARequestThatHasAllItAsksFor() {
    QuotaSpec quota =
        QuotaSpec.leased(
            ID,
            List.of(Match.any("tenant"), new Match("api", "public")),
            Rate.perSecond(1),
            Tokens.micros(1));
    assertThat(quota.matches(Descriptors.of("tenant", "acme", "api", "public"))).isTrue();
    assertThat(quota.matches(Descriptors.of("tenant", "acme", "api", "private"))).isFalse();
    assertThat(quota.matches(Descriptors.of("api", "public"))).isFalse();
    assertThat(quota.matches(DescriptorLookup.of(Map.of("tenant", "", "api", "public")))).isTrue();
  }

  @Test
  void changedCopiesChangeNothingElse() {
    QuotaSpec quota = leased(Rate.perSecond(1), Tokens.micros(9));
    LeaseTerms terms = new LeaseTerms(2_000_000_000L, 0, false, 60_000_000_000L, 3_000_000_000L, 0);
    assertThat(quota.withMode(Mode.SHADOW).mode()).isEqualTo(Mode.SHADOW);
    assertThat(quota.withMode(Mode.SHADOW).withMode(Mode.ENFORCE)).isEqualTo(quota);
    assertThat(quota.withLease(terms).lease()).isEqualTo(terms);
    assertThat(quota.withLease(terms).withLease(LeaseTerms.DEFAULT)).isEqualTo(quota);
  }

  private static QuotaSpec withFallbacks(Fallback onFloorExpiry, Fallback onStoreLoss) {
    return new QuotaSpec(
        ID,
        TENANT,
        Rate.perSecond(1),
        Tokens.micros(1),
        Tokens.micros(1),
        Enforcement.LEASED,
        Mode.ENFORCE,
        LeaseTerms.DEFAULT,
        Fallback.FLOOR,
        onFloorExpiry,
        LostLedger.KNOWN,
        Algorithm.TOKEN_BUCKET,
        onStoreLoss);
  }
}
