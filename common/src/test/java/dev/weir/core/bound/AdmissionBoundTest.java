package dev.weir.core.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.Algorithm;
import dev.weir.core.quota.Enforcement;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.LostLedger;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdmissionBoundTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long TOKEN = Tokens.MICROS_PER_TOKEN;
  private static final long GUARD = 50_000_000L;
  private static final int DRIFT = 500;
  private static final QuotaId ID = new QuotaId("shop", "public-api");
  private static final List<Region> REGIONS =
      List.of(new Region("eu-west", 2), new Region("us-east", 1), new Region("ap-south", 1));
  private static final Fallback BUDGET = new Fallback.Budget(Rate.perSecond(10), 5 * TOKEN);

  /** 100/s, burst 500, floors of 10 %. */
  private static final QuotaSpec PLAIN =
      QuotaSpec.leased(ID, List.of(new Match("api", "public")), Rate.perSecond(100), 500 * TOKEN);

  @Test
  void byDefaultNothingThatIsMissingAddsAnything() {
    AdmissionBound bound = bound(PLAIN);
    assertThat(bound.bounded()).isTrue();
    assertThat(bound.terms())
        .extracting(BoundTerm::cause)
        .containsExactly(
            "coordinator-unreachable",
            "lease-expired",
            "floor-lent",
            "floor-expired",
            "agent-restart",
            "machine-suspended",
            "ledger-lost");
    assertThat(bound.terms().stream().filter(term -> !term.isNothing()))
        .extracting(BoundTerm::cause)
        .containsExactly("machine-suspended");
  }

  @Test
  void theFormulaIsBurstPlusRateWithDrift() {
    assertThat(bound(PLAIN).allowedMicros(0)).isEqualTo(500 * TOKEN);
    assertThat(bound(PLAIN).allowedMicros(1000 * SECOND)).isEqualTo(100_550 * TOKEN);
    assertThat(bound(PLAIN).allowedMicros(Long.MAX_VALUE)).isPositive();
    assertThatThrownBy(() -> bound(PLAIN).allowedMicros(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aMachineThatSleptMayCostWhatItHeldAndTheTimeUntilItNotices() {
    // 500 + 100/s x (100 ms tick + 50 ms guard)
    assertThat(term(PLAIN, "machine-suspended").onceMicros()).isEqualTo(515 * TOKEN);
  }

  @Test
  void aBudgetCountsOncePerRegionAndPerSecondOfTheCut() {
    QuotaSpec quota = with(BUDGET, Fallback.DENY, LostLedger.KNOWN);
    BoundTerm term = term(quota, "lease-expired");
    assertThat(term.onceMicros()).isEqualTo(15 * TOKEN);
    assertThat(term.rate()).isEqualTo(Rate.perSecond(30));
    assertThat(term.note()).contains("5 + 10/s").contains("all 3 regions");
    assertThat(bound(quota).bounded()).isTrue();
  }

  @Test
  void bothBudgetsCountWhereBothApply() {
    QuotaSpec quota = with(BUDGET, BUDGET, LostLedger.KNOWN);
    assertThat(term(quota, "lease-expired").onceMicros()).isEqualTo(15 * TOKEN);
    assertThat(term(quota, "floor-expired").onceMicros()).isEqualTo(15 * TOKEN);
    assertThat(term(quota, "floor-expired").note()).contains("more than 24 h");
  }

  @Test
  void allowIsUnboundedAndSaysSo() {
    AdmissionBound bound = bound(with(Fallback.ALLOW, Fallback.DENY, LostLedger.KNOWN));
    assertThat(bound.bounded()).isFalse();
    assertThat(bound.terms().stream().filter(term -> !term.bounded()))
        .singleElement()
        .satisfies(term -> assertThat(term.note()).contains("admits everything"));
    assertThat(bound(with(Fallback.FLOOR, Fallback.ALLOW, LostLedger.KNOWN)).bounded()).isFalse();
  }

  @Test
  void aLedgerThatStartsFullCostsTheBurstOncePerLoss() {
    assertThat(term(PLAIN, "ledger-lost").isNothing()).isTrue();
    QuotaSpec full = with(Fallback.FLOOR, Fallback.DENY, LostLedger.FULL);
    assertThat(term(full, "ledger-lost").onceMicros()).isEqualTo(500 * TOKEN);
  }

  @Test
  void keysPastTheCapCountOnlyWhereThereAreKeys() {
    QuotaSpec perTenant =
        QuotaSpec.leased(ID, List.of(Match.any("tenant")), Rate.perSecond(100), 500 * TOKEN);
    BoundTerm cap = term(perTenant, "key-cap");
    assertThat(cap.onceMicros()).isEqualTo(500 * TOKEN);
    assertThat(cap.rate()).isEqualTo(Rate.perSecond(100));
  }

  @Test
  void aQuotaTooSmallForFloorsSaysWhatAFirstRequestWaitsFor() {
    QuotaSpec small =
        QuotaSpec.leased(ID, List.of(new Match("api", "public")), Rate.perSecond(2), 5 * TOKEN);
    assertThat(bound(small).terms())
        .extracting(BoundTerm::cause)
        .contains("no-lease-yet")
        .doesNotContain("floor-lent");
    assertThat(bound(PLAIN).terms()).extracting(BoundTerm::cause).doesNotContain("no-lease-yet");
  }

  @Test
  void aStrictQuotaHasTheRowsOfItsStoreAlone() {
    QuotaSpec strict =
        QuotaSpec.strict(ID, List.of(Match.any("account")), Rate.perSecond(10), 10 * TOKEN);
    assertThat(bound(strict).terms())
        .extracting(BoundTerm::cause)
        .containsExactly("store-lost", "store-failover");
    assertThat(term(strict, "store-lost").isNothing()).isTrue();
    assertThat(term(strict, "store-failover").onceMicros()).isEqualTo(10 * TOKEN);
    assertThat(term(strict, "store-failover").rate()).isEqualTo(Rate.perSecond(10));
  }

  @Test
  void aQuotaThatOnlyCountsIsUnbounded() {
    assertThat(bound(PLAIN.withMode(Mode.SHADOW)).bounded()).isFalse();
    assertThat(bound(PLAIN.withMode(Mode.OFF)).bounded()).isFalse();
  }

  @Test
  void loweringAQuotaCostsTheOldLeasesAndTheFloorsOfRegionsCutOff() {
    QuotaSpec lower =
        QuotaSpec.leased(
            ID, List.of(new Match("api", "public")), new Rate(60 * TOKEN, 60 * SECOND), 20 * TOKEN);
    BoundTerm term = ChangeTerms.lowered(PLAIN, lower, REGIONS);
    // (100 - 1)/s x 10 s + (500 - 20), and 10 % of 99/s for 24 h; floors round down per region
    assertThat(term.onceMicros()).isEqualTo((990 + 480 + 855_360) * TOKEN);
    assertThat(bound(PLAIN).plus(term).terms()).contains(term);
  }

  /** The coordinator takes back later than the agent stops: until then the term is shown. */
  @Test
  void aChangeCountsUntilWhatWasGivenBeforeHasBeenTakenBack() {
    LeaseTiming timing = new LeaseTiming(500, 50_000_000);
    LeaseTerms lease = PLAIN.lease();
    assertThat(timing.oldTermsLastNanos(lease))
        .isEqualTo(timing.takenBackAfterNanos(lease.floorTtlNanos()))
        .isGreaterThan(lease.floorTtlNanos());
    LeaseTerms floorless =
        new LeaseTerms(
            lease.ttlNanos(),
            0,
            lease.lend(),
            lease.floorTtlNanos(),
            lease.lendTtlNanos(),
            LeaseTerms.DEFAULT_WAIT);
    assertThat(timing.oldTermsLastNanos(floorless))
        .isEqualTo(timing.takenBackAfterNanos(lease.ttlNanos()));
  }

  @Test
  void raisingAQuotaCostsNothing() {
    QuotaSpec higher =
        QuotaSpec.leased(ID, List.of(new Match("api", "public")), Rate.perSecond(200), 600 * TOKEN);
    assertThat(ChangeTerms.lowered(PLAIN, higher, REGIONS).isNothing()).isTrue();
  }

  @Test
  void replacingAQuotaCostsAllThatTheOldOneHadOut() {
    // 100/s x 10 s + 500, and 10/s x 24 h
    assertThat(ChangeTerms.replaced(PLAIN, REGIONS).onceMicros())
        .isEqualTo((1000 + 500 + 864_000) * TOKEN);
  }

  @Test
  void theLargestQuotaSaturatesInsteadOfWrapping() {
    QuotaSpec largest =
        QuotaSpec.leased(
            ID,
            List.of(Match.any("tenant")),
            Rate.perSecond(QuotaSpec.MAX_TOKENS_PER_SECOND),
            Tokens.MAX_MICROS);
    assertThat(bound(largest).terms()).allSatisfy(t -> assertThat(t.onceMicros()).isNotNegative());
    assertThat(ChangeTerms.replaced(largest, REGIONS).onceMicros()).isPositive();
  }

  private static AdmissionBound bound(QuotaSpec quota) {
    return AdmissionBound.of(quota, REGIONS, DRIFT, GUARD);
  }

  private static BoundTerm term(QuotaSpec quota, String cause) {
    return bound(quota).terms().stream()
        .filter(term -> term.cause().equals(cause))
        .findFirst()
        .orElseThrow();
  }

  private static QuotaSpec with(Fallback onLeaseExpiry, Fallback onFloorExpiry, LostLedger lost) {
    return new QuotaSpec(
        ID,
        PLAIN.match(),
        PLAIN.rate(),
        PLAIN.burstMicros(),
        PLAIN.maxCostMicros(),
        Enforcement.LEASED,
        Mode.ENFORCE,
        LeaseTerms.DEFAULT,
        onLeaseExpiry,
        onFloorExpiry,
        lost,
        Algorithm.TOKEN_BUCKET,
        Fallback.DENY);
  }
}
