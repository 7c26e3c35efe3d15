package dev.weir.config;

import dev.weir.core.quota.LeaseTerms;
import org.jspecify.annotations.Nullable;

/** What a {@code lease} section says: any part of {@link LeaseTerms}, the rest left open. */
record LeaseDraft(
    @Nullable Long ttlNanos,
    @Nullable Integer floorPpm,
    @Nullable Boolean lend,
    @Nullable Long floorTtlNanos,
    @Nullable Long lendTtlNanos,
    @Nullable Long firstLeaseWaitNanos) {
  static final LeaseDraft OPEN = new LeaseDraft(null, null, null, null, null, null);

  /**
   * Returns what {@code lease} in this section says, on top of what held before; checked as a
   * whole.
   */
  static LeaseDraft read(Section parent, LeaseDraft before) {
    Section lease = parent.section("lease", "lease");
    if (lease == null) {
      return before;
    }
    LeaseDraft said =
        new LeaseDraft(
            lease.value(
                "ttl", Durations.between(LeaseTerms.TTL_NANOS_MIN, LeaseTerms.TTL_NANOS_MAX)),
            lease.value("floor", Amounts.percent(LeaseTerms.FLOOR_PPM_MAX)),
            lease.value("lend", Words::truth),
            lease.value(
                "floorTtl",
                Durations.between(LeaseTerms.FLOOR_TTL_NANOS_MIN, LeaseTerms.FLOOR_TTL_NANOS_MAX)),
            lease.value("lendTtl", Durations.between(1, LeaseTerms.LEND_TTL_NANOS_MAX)),
            lease.value(
                "firstLeaseWait", Durations.between(0, LeaseTerms.FIRST_LEASE_WAIT_NANOS_MAX)));
    lease.close();
    LeaseDraft whole = said.over(before);
    if (whole.lendTtl() <= whole.ttl()) {
      lease
          .problems()
          .error(
              lease.place("lendTtl"),
              "lendTtl ("
                  + Durations.text(whole.lendTtl())
                  + ") must be longer than ttl ("
                  + Durations.text(whole.ttl())
                  + ")");
      return before;
    }
    return whole;
  }

  /** Returns the terms, with defaults for what was left open. */
  LeaseTerms terms() {
    LeaseTerms defaults = LeaseTerms.DEFAULT;
    return new LeaseTerms(
        ttl(),
        or(floorPpm, defaults.floorPpm()),
        or(lend, defaults.lend()),
        or(floorTtlNanos, defaults.floorTtlNanos()),
        lendTtl(),
        or(firstLeaseWaitNanos, defaults.firstLeaseWaitNanos()));
  }

  private LeaseDraft over(LeaseDraft before) {
    return new LeaseDraft(
        either(ttlNanos, before.ttlNanos),
        either(floorPpm, before.floorPpm),
        either(lend, before.lend),
        either(floorTtlNanos, before.floorTtlNanos),
        either(lendTtlNanos, before.lendTtlNanos),
        either(firstLeaseWaitNanos, before.firstLeaseWaitNanos));
  }

  private long ttl() {
    return or(ttlNanos, LeaseTerms.DEFAULT.ttlNanos());
  }

  private long lendTtl() {
    return or(lendTtlNanos, LeaseTerms.defaultLendTtl(ttl()));
  }

  private static <T> @Nullable T either(@Nullable T said, @Nullable T before) {
    return said == null ? before : said;
  }

  private static <T> T or(@Nullable T said, T otherwise) {
    return said == null ? otherwise : said;
  }
}
