package dev.weir.core.bound;

import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.FloorSplit;
import dev.weir.core.quota.LostLedger;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import java.util.ArrayList;
import java.util.List;

/**
 * The table of section 4 of the design for one quota: the rows that apply, their numbers filled in.
 */
final class SectionFour {
  /** How often agents and coordinators compare their clocks (S7): at every tick. */
  private static final long TICK_NANOS = 100_000_000;

  private final QuotaSpec quota;
  private final List<Region> regions;
  private final long guardNanos;

  SectionFour(QuotaSpec quota, List<Region> regions, long guardNanos) {
    this.quota = quota;
    this.regions = regions;
    this.guardNanos = guardNanos;
  }

  List<BoundTerm> terms() {
    List<BoundTerm> terms = new ArrayList<>();
    if (quota.mode() != Mode.ENFORCE) {
      terms.add(
          BoundTerm.unbounded("not-enforced", "The quota's mode refuses nothing; it only counts."));
    }
    if (quota.isLeased()) {
      addLeased(terms);
    } else {
      addStrict(terms);
    }
    return terms;
  }

  private void addLeased(List<BoundTerm> terms) {
    terms.add(
        BoundTerm.nothing(
            "coordinator-unreachable", "Agents go on with their leases until these expire."));
    terms.add(leaseExpired());
    if (quota.lease().lend() && hasFloors()) {
      terms.add(
          BoundTerm.nothing(
              "floor-lent",
              "A region whose floor is lent when its lease expires refuses until the loan has run"
                  + " out, at most "
                  + Figures.duration(quota.lease().lendTtlNanos())
                  + "."));
    }
    terms.add(floorExpired());
    if (!hasFloors()) {
      terms.add(
          BoundTerm.nothing(
              "no-lease-yet", "The quota has no floors: a first request waits for a lease."));
    }
    if (quota.match().stream().anyMatch(Match::isFree)) {
      terms.add(
          new BoundTerm(
              "key-cap",
              quota.burstMicros(),
              quota.rate(),
              true,
              "Keys past an agent's cap share one more bucket, while there are more."));
    }
    terms.add(
        BoundTerm.nothing("agent-restart", "A new boot starts empty; its floor passes on by S8."));
    terms.add(machineSuspended());
    terms.add(ledgerLost());
  }

  private BoundTerm leaseExpired() {
    String cause = "lease-expired";
    Fallback fallback = quota.onLeaseExpiry();
    if (fallback instanceof Fallback.Floor) {
      return BoundTerm.nothing(cause, "Regions that are cut off go on at their floors.");
    }
    return fallback(cause, fallback, "A region that is cut off past its lease");
  }

  private BoundTerm floorExpired() {
    return fallback(
        "floor-expired",
        quota.onFloorExpiry(),
        "A region that is cut off for more than "
            + Figures.duration(quota.lease().floorTtlNanos()));
  }

  private BoundTerm fallback(String cause, Fallback fallback, String who) {
    if (fallback instanceof Fallback.Allow) {
      return BoundTerm.unbounded(cause, who + " admits everything.");
    }
    if (fallback instanceof Fallback.Budget budget) {
      int count = regions.size();
      Rate together = new Rate(times(budget.rate().micros(), count), budget.rate().perNanos());
      return new BoundTerm(
          cause,
          times(budget.burstMicros(), count),
          together,
          true,
          who
              + " has a budget of "
              + Figures.tokens(budget.burstMicros())
              + " + "
              + Figures.perSecond(budget.rate())
              + "/s on top, for the time it is cut off; here all "
              + count
              + " regions.");
    }
    return BoundTerm.nothing(cause, who + " refuses.");
  }

  /**
   * S7: the machine slept, its monotonic clock with it, and until the next tick compares the clocks
   * what it held before is spent although it has passed on. No share is larger than the quota, and
   * a gap below the guard is not noticed.
   */
  private BoundTerm machineSuspended() {
    long blindNanos = TICK_NANOS + guardNanos;
    return BoundTerm.once(
        "machine-suspended",
        plus(quota.burstMicros(), Figures.mintedAtMost(quota.rate(), blindNanos)),
        "Once each time a machine wakes that slept past its leases: B + R for the "
            + Figures.duration(blindNanos)
            + " in which it may not have noticed.");
  }

  private BoundTerm ledgerLost() {
    if (quota.onLostLedger() == LostLedger.FULL) {
      return BoundTerm.once(
          "ledger-lost",
          quota.burstMicros(),
          "onLostLedger: full. Pools start full, once for each loss.");
    }
    return BoundTerm.nothing(
        "ledger-lost", "Leases are confirmed and not raised until all older ones have expired.");
  }

  private void addStrict(List<BoundTerm> terms) {
    terms.add(
        fallback("store-lost", quota.onStoreLoss(), "A region that cannot reach the strict store"));
    terms.add(
        new BoundTerm(
            "store-failover",
            quota.burstMicros(),
            quota.rate(),
            true,
            "Once for each failover that loses the store's last writes; t is the replica's lag."));
  }

  private boolean hasFloors() {
    return !FloorSplit.of(quota, regions).values().stream().allMatch(Share::isZero);
  }

  private static long times(long micros, int count) {
    long high = Math.multiplyHigh(micros, count);
    long low = micros * count;
    return high == 0 && low >= 0 ? low : Long.MAX_VALUE;
  }

  private static long plus(long micros, long more) {
    long sum = micros + more;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
