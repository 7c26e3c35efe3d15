package dev.weir.testkit;

import dev.weir.core.math.MulDiv;
import dev.weir.core.quota.Algorithm;
import dev.weir.core.quota.Descriptors;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Any quota, region or set of descriptors that is valid, the ends of every range included. */
public final class Quotas {
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** Characters that look alike, mean something in a key, or end a line. */
  private static final String[] CHARACTERS = {
    "a",
    "b",
    "_",
    ",",
    "=",
    "&",
    "%",
    ":",
    "|",
    "{",
    "}",
    " ",
    "\n",
    "\0",
    "\u007f",
    "\u0085",
    "\u00e9",
    "e\u0301",
    "\u2028",
    "\ud83d\ude00",
    "2",
    "C",
    "\"",
    "'",
    "#",
    "\\",
    "\ufeff",
    "-"
  };

  private Quotas() {}

  /** Returns any quota of that name. */
  public static QuotaSpec any(Random random, QuotaId id) {
    Enforcement enforcement = of(random, Enforcement.values());
    long burstMicros = between(random, Tokens.MICROS_PER_TOKEN, Tokens.MAX_MICROS);
    return new QuotaSpec(
        id,
        anyMatch(random),
        anyRate(random),
        burstMicros,
        random.nextBoolean()
            ? QuotaSpec.defaultMaxCostMicros(burstMicros, enforcement)
            : between(random, 1, burstMicros),
        enforcement,
        of(random, Mode.values()),
        anyTerms(random),
        anyFallback(random, true),
        anyFallback(random, false),
        of(random, LostLedger.values()),
        enforcement == Enforcement.STRICT ? of(random, Algorithm.values()) : Algorithm.TOKEN_BUCKET,
        anyFallback(random, false));
  }

  /** Returns any rate a quota may have. */
  public static Rate anyRate(Random random) {
    long perNanos =
        random.nextBoolean()
            ? of(random, 1L, 60L, 3600L, 86_400L, 604_800L) * SECOND_NANOS
            : between(random, 1, Rate.MAX_PER_NANOS);
    // 10^9 tokens per second are 10^6 micro-tokens per nanosecond.
    long fastest = MulDiv.down(perNanos, 1_000_000, 1);
    return new Rate(between(random, 0, Math.min(Tokens.MAX_MICROS, fastest)), perNanos);
  }

  /** Returns any terms of leases. */
  public static LeaseTerms anyTerms(Random random) {
    if (random.nextInt(4) == 0) {
      return LeaseTerms.DEFAULT;
    }
    long ttlNanos = between(random, LeaseTerms.TTL_NANOS_MIN, LeaseTerms.TTL_NANOS_MAX);
    return new LeaseTerms(
        ttlNanos,
        (int) between(random, 0, LeaseTerms.FLOOR_PPM_MAX),
        random.nextBoolean(),
        between(random, LeaseTerms.FLOOR_TTL_NANOS_MIN, LeaseTerms.FLOOR_TTL_NANOS_MAX),
        between(random, ttlNanos + 1, LeaseTerms.LEND_TTL_NANOS_MAX),
        between(random, -1, LeaseTerms.FIRST_LEASE_WAIT_NANOS_MAX));
  }

  /** Returns any fallback, a floor only where asked for. */
  public static Fallback anyFallback(Random random, boolean floorToo) {
    return switch (random.nextInt(floorToo ? 4 : 3)) {
      case 0 -> Fallback.DENY;
      case 1 -> Fallback.ALLOW;
      case 2 ->
          new Fallback.Budget(
              anyRate(random), between(random, Tokens.MICROS_PER_TOKEN, Tokens.MAX_MICROS));
      default -> Fallback.FLOOR;
    };
  }

  /** Returns any conditions, also none. */
  public static List<Match> anyMatch(Random random) {
    Map<String, Match> conditions = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String key = anyKey(random);
      conditions.put(key, new Match(key, random.nextBoolean() ? null : anyText(random)));
    }
    return new ArrayList<>(conditions.values());
  }

  /** Returns any descriptors, of few different keys and values, so that they often meet. */
  public static Descriptors anyDescriptors(Random random) {
    Map<String, String> pairs = new TreeMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      pairs.put(anyKey(random), anyText(random));
    }
    return Descriptors.of(pairs);
  }

  /** Returns one to {@code max} regions. */
  public static List<Region> anyRegions(Random random, int max) {
    List<Region> regions = new ArrayList<>();
    for (int i = 1 + random.nextInt(max); i > 0; i--) {
      regions.add(new Region("r" + i, (int) between(random, 1, Region.WEIGHT_MAX)));
    }
    return regions;
  }

  /** Returns a number of any magnitude, often one of the ends. */
  public static long between(Random random, long min, long max) {
    return switch (random.nextInt(8)) {
      case 0 -> min;
      case 1 -> max;
      default -> {
        long spread = max - min;
        long below = random.nextLong() >>> (1 + random.nextInt(62));
        yield min + (spread == 0 ? 0 : below % spread);
      }
    };
  }

  private static String anyKey(Random random) {
    return of(random, "tenant", "user", "api", "a=b", "%2C", "\u00e9");
  }

  private static String anyText(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(of(random, CHARACTERS));
    }
    return text.toString();
  }

  @SafeVarargs
  private static <T> T of(Random random, T... values) {
    return values[random.nextInt(values.length)];
  }
}
