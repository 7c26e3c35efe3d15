package dev.weir.agent;

import static dev.weir.agent.Boot.SECOND_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

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
import dev.weir.core.quota.Tokens;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Section 4 of the design: what an agent does when something is missing. */
class FallbackTest {
  private static final long TTL_NANOS = 10 * SECOND_NANOS;
  private static final long FLOOR_TTL_NANOS = 24 * 3600 * SECOND_NANOS;
  private static final Fallback.Budget SMALL =
      new Fallback.Budget(Rate.perSecond(2), Tokens.micros(5));

  @Test
  void cutOffIsOnceTheTimeToLiveHasPassedSinceTheLastAnswerWasAskedFor() {
    Boot boot = boot(quota(Fallback.ALLOW, Fallback.DENY));
    boot.clock.advance(TTL_NANOS - 1);
    assertThat(drain(boot)).as("still in touch: the floor's burst").isEqualTo(10);
    boot.clock.advance(1);
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
    boot.heard();
    assertThat(boot.ask("acme", 1).allowed()).isFalse();
  }

  @Test
  void floorGoesOnAtTheFloor() {
    Boot boot = boot(quota(Fallback.FLOOR, Fallback.DENY));
    assertThat(drain(boot)).isEqualTo(9);
    boot.clock.advance(TTL_NANOS);
    assertThat(drain(boot)).isEqualTo(10);
    Decision refused = boot.ask("acme", 1);
    assertThat(refused.reason()).isEqualTo(Reason.LEASE_EXPIRED);
    assertThat(refused.retryAfterNanos()).isEqualTo(SECOND_NANOS);
  }

  @Test
  void denyRefusesAlsoWhatTheFloorWouldAdmit() {
    Boot boot = boot(quota(Fallback.DENY, Fallback.DENY));
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
    boot.clock.advance(TTL_NANOS);
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.LEASE_EXPIRED);
    boot.heard();
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
  }

  @Test
  void allowAdmitsWithoutBoundAndSaysWhy() {
    Boot boot = boot(quota(Fallback.ALLOW, Fallback.DENY));
    boot.clock.advance(TTL_NANOS);
    for (int i = 0; i < 1_000; i++) {
      assertThat(boot.ask("acme", 1).allowed()).isTrue();
    }
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.LEASE_EXPIRED);
    assertThat(boot.ask("acme", 11).reason()).isEqualTo(Reason.COST_TOO_LARGE);
  }

  @Test
  void aBudgetIsOnTopOfTheFloorAndBeginsEmpty() {
    Boot boot = boot(quota(SMALL, Fallback.DENY));
    boot.clock.advance(TTL_NANOS);
    assertThat(drain(boot)).as("the floor alone").isEqualTo(10);
    boot.clock.advance(SECOND_NANOS);
    assertThat(drain(boot)).as("a second of both").isEqualTo(1 + 2);
    boot.clock.advance(100 * SECOND_NANOS);
    assertThat(drain(boot)).as("both bursts").isEqualTo(10 + 5);
  }

  /** H11c: ten short cuts give what one cut of their length gives, and not ten bursts. */
  @Test
  void aBudgetRefillsOnlyWhileCutOff() {
    Boot boot = boot(quota(SMALL, Fallback.DENY));
    drain(boot);
    long fromBudget = 0;
    for (int cut = 0; cut < 10; cut++) {
      boot.clock.advance(TTL_NANOS + SECOND_NANOS / 2); // half a second of it cut off
      fromBudget += drain(boot) - 10; // the floor is full again each time
      boot.heard();
      assertThat(drain(boot)).as("in touch again").isZero();
    }
    assertThat(fromBudget).as("five seconds at 2/s").isEqualTo(10);
  }

  @Test
  void aBudgetKeepsItsLevelBetweenCuts() {
    Boot boot = boot(quota(SMALL, Fallback.DENY));
    boot.clock.advance(TTL_NANOS + 2 * SECOND_NANOS); // makes 4, none spent
    boot.heard();
    drain(boot);
    boot.clock.advance(TTL_NANOS);
    assertThat(drain(boot)).as("the floor and the 4").isEqualTo(10 + 4);
  }

  @Test
  void withoutAnyAnswerABootIsCutOffFromItsStartOn() {
    Boot boot = new Boot(quota(Fallback.ALLOW, Fallback.DENY));
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.NO_LEASE);
    boot.clock.advance(TTL_NANOS);
    assertThat(boot.ask("acme", 1).allowed()).isTrue();
  }

  // ------------------------------------------------------------------------------ floors

  @Test
  void afterTheFloorHasRunOutTooDenyRefusesWhateverTheLeasePolicyWas() {
    Boot boot = boot(quota(Fallback.ALLOW, Fallback.DENY));
    boot.clock.advance(FLOOR_TTL_NANOS);
    assertThat(boot.ask("acme", 1).allowed()).isFalse();
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.LEASE_EXPIRED);
  }

  @Test
  void afterTheFloorHasRunOutTooAllowAdmits() {
    Boot boot = boot(quota(Fallback.FLOOR, Fallback.ALLOW));
    boot.clock.advance(FLOOR_TTL_NANOS - 1);
    assertThat(drain(boot)).isEqualTo(10);
    boot.clock.advance(1);
    for (int i = 0; i < 100; i++) {
      assertThat(boot.ask("acme", 1).allowed()).isTrue();
    }
  }

  @Test
  void afterTheFloorHasRunOutBothBudgetsApply() {
    Fallback.Budget later = new Fallback.Budget(Rate.perSecond(1), Tokens.micros(3));
    Boot boot = boot(quota(SMALL, later));
    boot.clock.advance(FLOOR_TTL_NANOS);
    drain(boot);
    boot.clock.advance(2 * SECOND_NANOS);
    assertThat(drain(boot)).as("two seconds of 2/s and of 1/s").isEqualTo(4 + 2);
  }

  @Test
  void aFloorThatRanOutComesBackEmptyWithTheNextAnswer() {
    QuotaSpec quota = quota(Fallback.FLOOR, Fallback.DENY);
    Boot boot = boot(quota);
    boot.clock.advance(2 * FLOOR_TTL_NANOS);
    assertThat(boot.ask("acme", 1).allowed()).isFalse();
    boot.heard();
    boot.life.extendFloor(quota.id(), boot.now() + FLOOR_TTL_NANOS);
    assertThat(boot.ask("acme", 1).reason()).isEqualTo(Reason.EXHAUSTED);
    boot.clock.advance(3 * SECOND_NANOS);
    assertThat(drain(boot)).isEqualTo(3);
  }

  @Test
  void aFloorThatIsProlongedGoesOnUndisturbed() {
    QuotaSpec quota = quota(Fallback.FLOOR, Fallback.DENY);
    Boot boot = boot(quota);
    drain(boot);
    for (int hour = 0; hour < 100; hour++) {
      boot.clock.advance(3600 * SECOND_NANOS);
      boot.heard();
      boot.life.extendFloor(quota.id(), boot.now() + FLOOR_TTL_NANOS);
    }
    assertThat(drain(boot)).isEqualTo(10);
    boot.clock.advance(FLOOR_TTL_NANOS);
    assertThat(drain(boot)).as("not used a moment longer than given").isZero();
  }

  // ------------------------------------------------------------------------------ strict

  @Test
  void aStrictQuotaHasNoStoreYetAndDoesWhatItSaysForThat() {
    Boot denying = boot(strict(Fallback.DENY));
    assertThat(denying.ask("acme", 1).allowed()).isFalse();
    assertThat(denying.ask("acme", 1).reason()).isEqualTo(Reason.STORE_LOST);
    assertThat(denying.ask("acme", 1).retryAfterNanos()).isEqualTo(SECOND_NANOS);

    Boot allowing = boot(strict(Fallback.ALLOW));
    assertThat(allowing.ask("acme", 1).allowed()).isTrue();
    assertThat(allowing.ask("acme", 1).reason()).isEqualTo(Reason.STORE_LOST);
    assertThat(allowing.wanted).as("no leases for strict quotas").isEmpty();

    Boot budgeted = boot(strict(SMALL));
    assertThat(drain(budgeted)).as("empty at the boot, full by now").isEqualTo(5);
    budgeted.clock.advance(SECOND_NANOS);
    assertThat(drain(budgeted)).isEqualTo(2);
  }

  // ------------------------------------------------------------------------------ helpers

  /** How many requests of tenant acme are admitted at once. */
  private static int drain(Boot boot) {
    int admitted = 0;
    while (admitted < 10_000 && boot.ask("acme", 1).allowed()) {
      admitted++;
    }
    return admitted;
  }

  /** In touch, with a floor of 1/s and a burst of 10 that holds 9. */
  private static Boot boot(QuotaSpec quota) {
    Boot boot = new Boot(quota);
    boot.life.setFloor(
        quota.id(),
        Rate.perSecond(1),
        Tokens.micros(10),
        boot.now() + 9 * SECOND_NANOS + FLOOR_TTL_NANOS,
        boot.now());
    boot.clock.advance(9 * SECOND_NANOS);
    boot.heard();
    return boot;
  }

  private static QuotaSpec quota(Fallback onLeaseExpiry, Fallback onFloorExpiry) {
    return spec(Enforcement.LEASED, onLeaseExpiry, onFloorExpiry, Fallback.DENY);
  }

  private static QuotaSpec strict(Fallback onStoreLoss) {
    return spec(Enforcement.STRICT, Fallback.FLOOR, Fallback.DENY, onStoreLoss);
  }

  private static QuotaSpec spec(
      Enforcement enforcement, Fallback onLease, Fallback onFloor, Fallback onStore) {
    return new QuotaSpec(
        new QuotaId("shop", "api"),
        List.of(Match.any("tenant")),
        Rate.perSecond(100),
        Tokens.micros(100),
        Tokens.micros(10),
        enforcement,
        Mode.ENFORCE,
        LeaseTerms.DEFAULT,
        onLease,
        onFloor,
        LostLedger.KNOWN,
        Algorithm.TOKEN_BUCKET,
        onStore);
  }
}
