package dev.weir.protocol;

import dev.weir.core.quota.Algorithm;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Enforcement;
import dev.weir.core.quota.Fallback;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.LostLedger;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Any book there can be. */
final class Books {
  private Books() {}

  static QuotaBook book(Random random) {
    Map<String, DomainBook> domains = new TreeMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      domains.put("Domain" + i, domain("Domain" + i, random));
    }
    return new QuotaBook(random.nextLong() & Long.MAX_VALUE, domains);
  }

  private static DomainBook domain(String name, Random random) {
    List<Region> regions = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      regions.add(new Region("region-" + i, 1 + random.nextInt(Region.WEIGHT_MAX)));
    }
    List<QuotaSpec> quotas = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      quotas.add(quota(new QuotaId(name, "quota." + i), random));
    }
    return new DomainBook(name, regions, quotas);
  }

  private static QuotaSpec quota(QuotaId id, Random random) {
    Enforcement enforcement = one(random, Enforcement.values());
    long burst = between(random, Tokens.MICROS_PER_TOKEN, Tokens.MAX_MICROS);
    return new QuotaSpec(
        id,
        random.nextBoolean()
            ? List.of()
            : List.of(Match.any("tenant"), new Match("api \"é\"", random.nextBoolean() ? "" : "x")),
        rate(random),
        burst,
        between(random, 1, burst),
        enforcement,
        one(random, Mode.values()),
        lease(random),
        random.nextBoolean() ? Fallback.FLOOR : fallback(random),
        fallback(random),
        one(random, LostLedger.values()),
        enforcement == Enforcement.LEASED
            ? Algorithm.TOKEN_BUCKET
            : one(random, Algorithm.values()),
        fallback(random));
  }

  private static LeaseTerms lease(Random random) {
    long ttl = between(random, LeaseTerms.TTL_NANOS_MIN, LeaseTerms.TTL_NANOS_MAX);
    return new LeaseTerms(
        ttl,
        random.nextInt(LeaseTerms.FLOOR_PPM_MAX + 1),
        random.nextBoolean(),
        between(random, LeaseTerms.FLOOR_TTL_NANOS_MIN, LeaseTerms.FLOOR_TTL_NANOS_MAX),
        between(random, ttl + 1, LeaseTerms.LEND_TTL_NANOS_MAX),
        between(random, LeaseTerms.DEFAULT_WAIT, LeaseTerms.FIRST_LEASE_WAIT_NANOS_MAX));
  }

  private static Fallback fallback(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> Fallback.DENY;
      case 1 -> Fallback.ALLOW;
      default ->
          new Fallback.Budget(
              rate(random), between(random, Tokens.MICROS_PER_TOKEN, Tokens.MAX_MICROS));
    };
  }

  private static Rate rate(Random random) {
    return new Rate(
        between(random, 0, 1_000_000_000_000L),
        between(random, 1_000_000_000L, Rate.MAX_PER_NANOS));
  }

  private static long between(Random random, long min, long max) {
    return min + Math.floorMod(random.nextLong() >>> random.nextInt(63), max - min + 1);
  }

  private static <T> T one(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }
}
