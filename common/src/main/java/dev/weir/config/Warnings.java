package dev.weir.config;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Tokens;
import java.util.Map;

/** What is not wrong with a domain, and yet worth saying. */
final class Warnings {
  private final DomainBook domain;
  private final Map<QuotaId, Place> places;
  private final Problems problems;

  private Warnings(DomainBook domain, Map<QuotaId, Place> places, Problems problems) {
    this.domain = domain;
    this.places = places;
    this.problems = problems;
  }

  static void of(DomainBook domain, Map<QuotaId, Place> places, Problems problems) {
    Warnings warnings = new Warnings(domain, places, problems);
    for (QuotaSpec quota : domain.quotas()) {
      warnings.of(quota);
    }
    boolean leased = domain.quotas().stream().anyMatch(QuotaSpec::isLeased);
    if (leased && domain.regions().isEmpty()) {
      problems.warning(
          warnings.place(domain.quotas().get(0)),
          "domain " + domain.domain() + " has no regions: no agent can hold a lease or a floor");
    }
  }

  private void of(QuotaSpec quota) {
    if (quota.isLeased()) {
      warnIfTooSmallForFloors(quota);
      warnIfUnbounded(quota, "onLeaseExpiry", quota.onLeaseExpiry());
      warnIfUnbounded(quota, "onFloorExpiry", quota.onFloorExpiry());
    } else {
      warnIfUnbounded(quota, "onStoreLoss", quota.onStoreLoss());
    }
  }

  private void warnIfTooSmallForFloors(QuotaSpec quota) {
    long requests = 2L * domain.regions().size();
    // burst < requests * maxCost, in a form that cannot overflow.
    if (requests == 0
        || quota.lease().floorPpm() == 0
        || quota.burstMicros() / requests >= quota.maxCostMicros()) {
      return;
    }
    problems.warning(
        place(quota),
        "quota "
            + quota.id().name()
            + " is too small for floors: its burst, "
            + Tokens.text(quota.burstMicros())
            + ", is less than "
            + requests
            + " requests (two for each region) of maxCost "
            + Tokens.text(quota.maxCostMicros())
            + ", so each first request of a key waits for a lease; enforcement: strict is better");
  }

  private void warnIfUnbounded(QuotaSpec quota, String key, Fallback fallback) {
    if (fallback instanceof Fallback.Allow) {
      problems.warning(
          place(quota),
          "quota " + quota.id().name() + " has " + key + ": allow, which admits without a bound");
    }
  }

  private Place place(QuotaSpec quota) {
    return places.getOrDefault(quota.id(), Place.of(""));
  }
}
