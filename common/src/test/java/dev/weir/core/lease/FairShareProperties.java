package dev.weir.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.quota.Share;
import dev.weir.testkit.Quotas;
import dev.weir.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

class FairShareProperties {
  private static final long MOST = 1_000_000_000_000L;

  private static List<Claim> anyClaims(Random random) {
    List<Claim> claims = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      claims.add(
          new Claim(
              new HolderId("r" + i, 1),
              1 + random.nextInt(9),
              random.nextInt(3) == 0 ? Quotas.between(random, 0, MOST) : 0,
              random.nextInt(4) == 0 ? 0 : Quotas.between(random, 0, MOST),
              Quotas.between(random, 0, MOST)));
    }
    return claims;
  }

  private static Share of(Map<HolderId, Share> shares, Claim claim) {
    return Objects.requireNonNull(shares.get(claim.holder()));
  }

  private static Share sum(Map<HolderId, Share> shares) {
    return shares.values().stream().reduce(Share.ZERO, Share::plus);
  }

  @Seeds
  void sharesStayWithinWhatThereIsAndBurstsAreWholeRequests(Random random) {
    Share leasable = new Share(Quotas.between(random, 0, MOST), Quotas.between(random, 0, MOST));
    long unit = Quotas.between(random, 1, MOST);
    List<Claim> claims = anyClaims(random);
    Map<HolderId, Share> shares = FairShare.divide(leasable, unit, claims);
    assertThat(sum(shares).fitsIn(leasable)).isTrue();
    assertThat(shares).hasSameSizeAs(claims);
    for (Claim claim : claims) {
      Share share = of(shares, claim);
      assertThat(share.burstMicros() % unit).isZero();
      if (claim.demandRateMicros() == 0) {
        assertThat(share).isEqualTo(Share.ZERO);
      }
    }
  }

  @Seeds
  void whereThereIsEnoughEveryWantIsMetAndHalfOfTheRestIsGivenOut(Random random) {
    List<Claim> claims = anyClaims(random);
    long wanted = claims.stream().mapToLong(Claim::wantMicros).sum();
    long rest = random.nextInt(1_000);
    Share leasable = new Share(wanted + rest, MOST);
    Map<HolderId, Share> shares = FairShare.divide(leasable, 1_000_000, claims);
    boolean anyActive = false;
    for (Claim claim : claims) {
      anyActive |= claim.demandRateMicros() > 0;
      assertThat(of(shares, claim).rateMicros()).isGreaterThanOrEqualTo(claim.wantMicros());
    }
    assertThat(sum(shares).rateMicros()).isEqualTo(anyActive ? wanted + rest / 2 : 0);
  }

  /** Max-min: who gets more, floor included, per weight than another that wants more, never is. */
  @Seeds
  void nobodyHasMorePerWeightThanSomebodyWhoWantsMore(Random random) {
    List<Claim> claims = anyClaims(random);
    long wanted = claims.stream().mapToLong(Claim::wantMicros).sum();
    Share leasable = new Share(Quotas.between(random, 0, Math.max(1, wanted)), MOST);
    Map<HolderId, Share> shares = FairShare.divide(leasable, 1, claims);
    if (leasable.rateMicros() >= wanted) {
      return;
    }
    for (Claim poor : claims) {
      long has = poor.floorRateMicros() + of(shares, poor).rateMicros();
      for (Claim rich : claims) {
        Share share = of(shares, rich);
        long more = rich.floorRateMicros() + share.rateMicros();
        // What rounding leaves over is given out by weight: less than one level of all.
        long slack = 2L * claims.size() * 10;
        if (has < poor.demandRateMicros() && share.rateMicros() > slack) {
          assertThat((double) more / rich.weight())
              .isLessThanOrEqualTo((double) (has + slack) / poor.weight() + slack);
        }
      }
    }
  }
}
