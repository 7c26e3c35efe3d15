package dev.weir.core.quota;

import dev.weir.core.math.Check;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One quota as it is in force, every default filled in.
 *
 * @param match what a request must have to count against it, all of it; empty matches every
 *     request; no key twice, at most {@link Descriptors#PAIRS_MAX}
 * @param rate at most {@link #MAX_TOKENS_PER_SECOND}; zero for a quota that never refills
 * @param burstMicros most its bucket may hold, in {@code [1 token, Tokens.MAX_MICROS]}
 * @param maxCostMicros most one request may cost, in {@code [1, burstMicros]}
 * @param onLeaseExpiry what an agent does once its lease has run out
 * @param onFloorExpiry what it does once its floor has, too: anything but {@link Fallback.Floor}
 * @param algorithm {@link Algorithm#TOKEN_BUCKET} where leased
 * @param onStoreLoss what a strict quota does without its store: anything but {@link
 *     Fallback.Floor}
 */
public record QuotaSpec(
    QuotaId id,
    List<Match> match,
    Rate rate,
    long burstMicros,
    long maxCostMicros,
    Enforcement enforcement,
    Mode mode,
    LeaseTerms lease,
    Fallback onLeaseExpiry,
    Fallback onFloorExpiry,
    LostLedger onLostLedger,
    Algorithm algorithm,
    Fallback onStoreLoss) {
  /** Fastest rate a quota may have: 10^9 tokens per second. */
  public static final long MAX_TOKENS_PER_SECOND = 1_000_000_000L;

  private static final Rate RATE_MAX = Rate.perSecond(MAX_TOKENS_PER_SECOND);

  /**
   * A leased quota divides its burst into at least so many largest requests, unless told not to.
   */
  private static final long LARGEST_COSTS_IN_A_BURST = 20;

  public QuotaSpec {
    match = List.copyOf(match);
    checkMatch(match);
    checkRate(rate);
    Check.inRange("burstMicros", burstMicros, Tokens.MICROS_PER_TOKEN, Tokens.MAX_MICROS);
    Check.inRange("maxCostMicros", maxCostMicros, 1, burstMicros);
    refuseFloor("onFloorExpiry", onFloorExpiry);
    refuseFloor("onStoreLoss", onStoreLoss);
    if (enforcement == Enforcement.LEASED && algorithm != Algorithm.TOKEN_BUCKET) {
      throw new IllegalArgumentException("a leased quota is a TOKEN_BUCKET: " + algorithm);
    }
  }

  /** Returns a leased quota with the default of everything else. */
  public static QuotaSpec leased(QuotaId id, List<Match> match, Rate rate, long burstMicros) {
    return withDefaults(id, match, rate, burstMicros, Enforcement.LEASED);
  }

  /** Returns a strict quota with the default of everything else. */
  public static QuotaSpec strict(QuotaId id, List<Match> match, Rate rate, long burstMicros) {
    return withDefaults(id, match, rate, burstMicros, Enforcement.STRICT);
  }

  /**
   * Returns the largest cost of a request where none was set: leased, a twentieth of the burst in
   * whole tokens, at least one; strict, the burst.
   */
  public static long defaultMaxCostMicros(long burstMicros, Enforcement enforcement) {
    if (enforcement == Enforcement.STRICT) {
      return burstMicros;
    }
    long tokens = burstMicros / LARGEST_COSTS_IN_A_BURST / Tokens.MICROS_PER_TOKEN;
    return Math.max(1, tokens) * Tokens.MICROS_PER_TOKEN;
  }

  /** Returns all of the quota as one share. */
  public Share whole() {
    return new Share(rate.micros(), burstMicros);
  }

  /** Tells whether it is decided at the edge. */
  public boolean isLeased() {
    return enforcement == Enforcement.LEASED;
  }

  /** Tells whether a request with these descriptors has all that {@link #match} asks for. */
  public boolean matches(DescriptorLookup descriptors) {
    for (Match condition : match) {
      String value = descriptors.value(condition.key());
      if (value == null || !(condition.isFree() || value.equals(condition.value()))) {
        return false;
      }
    }
    return true;
  }

  /** Returns this with other lease terms. */
  public QuotaSpec withLease(LeaseTerms terms) {
    return new QuotaSpec(
        id,
        match,
        rate,
        burstMicros,
        maxCostMicros,
        enforcement,
        mode,
        terms,
        onLeaseExpiry,
        onFloorExpiry,
        onLostLedger,
        algorithm,
        onStoreLoss);
  }

  /** Returns this with another largest cost. */
  public QuotaSpec withMaxCost(long micros) {
    return new QuotaSpec(
        id,
        match,
        rate,
        burstMicros,
        micros,
        enforcement,
        mode,
        lease,
        onLeaseExpiry,
        onFloorExpiry,
        onLostLedger,
        algorithm,
        onStoreLoss);
  }

  /** Returns this with another rate, burst and largest cost. */
  public QuotaSpec withLimit(Rate newRate, long newBurstMicros, long newMaxCostMicros) {
    return new QuotaSpec(
        id,
        match,
        newRate,
        newBurstMicros,
        newMaxCostMicros,
        enforcement,
        mode,
        lease,
        onLeaseExpiry,
        onFloorExpiry,
        onLostLedger,
        algorithm,
        onStoreLoss);
  }

  /** Returns this in another mode. */
  public QuotaSpec withMode(Mode newMode) {
    return new QuotaSpec(
        id,
        match,
        rate,
        burstMicros,
        maxCostMicros,
        enforcement,
        newMode,
        lease,
        onLeaseExpiry,
        onFloorExpiry,
        onLostLedger,
        algorithm,
        onStoreLoss);
  }

  static void checkRate(Rate rate) {
    Check.inRange("rate.micros", rate.micros(), 0, Tokens.MAX_MICROS);
    if (Rate.BY_SPEED.compare(rate, RATE_MAX) > 0) {
      throw new IllegalArgumentException(
          "rate must be at most " + MAX_TOKENS_PER_SECOND + " tokens per second: " + rate);
    }
  }

  private static QuotaSpec withDefaults(
      QuotaId id, List<Match> match, Rate rate, long burstMicros, Enforcement enforcement) {
    return new QuotaSpec(
        id,
        match,
        rate,
        burstMicros,
        defaultMaxCostMicros(burstMicros, enforcement),
        enforcement,
        Mode.ENFORCE,
        LeaseTerms.DEFAULT,
        Fallback.FLOOR,
        Fallback.DENY,
        LostLedger.KNOWN,
        Algorithm.TOKEN_BUCKET,
        Fallback.DENY);
  }

  private static void checkMatch(List<Match> match) {
    Check.inRange("conditions in match", match.size(), 0, Descriptors.PAIRS_MAX);
    Set<String> keys = new HashSet<>();
    for (Match condition : match) {
      if (!keys.add(condition.key())) {
        throw new IllegalArgumentException("match names a key twice: \"" + condition.key() + "\"");
      }
    }
  }

  private static void refuseFloor(String name, Fallback fallback) {
    if (fallback instanceof Fallback.Floor) {
      throw new IllegalArgumentException(name + " cannot be floor: there is none then");
    }
  }
}
