package dev.weir.core.bound;

import dev.weir.core.quota.Share;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The one set of checks of what must hold at every instant, used by tests, by the simulator and on
 * live ledgers. Each returns what is broken, nothing if all is well.
 */
public final class Invariants {
  private Invariants() {}

  /**
   * I1: the tokens that exist anywhere never exceed {@code B}.
   *
   * @param parties all that hold tokens, those on their way included
   */
  public static List<Violation> tokensWithinBurst(long burstMicros, Collection<Party> parties) {
    BigInteger tokens = sum(parties, Party::levelMicros);
    if (tokens.compareTo(BigInteger.valueOf(burstMicros)) <= 0) {
      return List.of();
    }
    return List.of(
        new Violation(
            "I1",
            "tokens that exist must not exceed the burst of "
                + burstMicros
                + " micro-tokens: "
                + tokens
                + list(parties, Party::levelMicros)));
  }

  /**
   * I2: the refill rates in force anywhere never add up to more than {@code R}.
   *
   * @param rateMicros {@code R}, in the same unit of time as the parties' rates
   * @param parties all whose rates are in force
   */
  public static List<Violation> ratesWithinQuota(long rateMicros, Collection<Party> parties) {
    BigInteger rates = sum(parties, party -> party.share().rateMicros());
    if (rates.compareTo(BigInteger.valueOf(rateMicros)) <= 0) {
      return List.of();
    }
    return List.of(
        new Violation(
            "I2",
            "rates in force must not exceed the quota's "
                + rateMicros
                + " micro-tokens: "
                + rates
                + list(parties, party -> party.share().rateMicros())));
  }

  /**
   * S1: leases accounted, pool and floors are together the quota, in rate and in burst; and nobody
   * has more tokens than its burst, or less than none.
   *
   * @param whole the quota's rate and burst
   * @param parties the pool, every lease as it is accounted, every floor
   */
  public static List<Violation> partition(Share whole, Collection<Party> parties) {
    List<Violation> broken = new ArrayList<>();
    requireSum(broken, "rates", whole.rateMicros(), parties, party -> party.share().rateMicros());
    requireSum(
        broken, "bursts", whole.burstMicros(), parties, party -> party.share().burstMicros());
    for (Party party : parties) {
      requireSound(broken, party);
    }
    return broken;
  }

  /** The window bound: no window of the history admitted more than it allows. */
  public static List<Violation> window(WindowJudge judge) {
    Overshoot worst = judge.worst();
    if (worst.held()) {
      return List.of();
    }
    return List.of(
        new Violation(
            "window",
            "a window of "
                + worst.lengthNanos()
                + " ns from "
                + worst.fromNanos()
                + " admitted "
                + worst.admittedMicros()
                + " micro-tokens, "
                + worst.overshootMicros()
                + " more than the bound of "
                + judge.allowedMicros(worst.lengthNanos())));
  }

  private static void requireSum(
      List<Violation> broken,
      String what,
      long whole,
      Collection<Party> parties,
      ToLongFunction<Party> part) {
    BigInteger sum = sum(parties, part);
    if (!sum.equals(BigInteger.valueOf(whole))) {
      broken.add(
          new Violation(
              "S1",
              what
                  + " must add up to the quota's "
                  + whole
                  + " micro-tokens: "
                  + sum
                  + list(parties, part)));
    }
  }

  private static void requireSound(List<Violation> broken, Party party) {
    if (party.levelMicros() < 0 || party.levelMicros() > party.share().burstMicros()) {
      broken.add(
          new Violation(
              "S1",
              party.name()
                  + " must have between 0 and its burst of "
                  + party.share().burstMicros()
                  + " micro-tokens: "
                  + party.levelMicros()));
    }
  }

  private static BigInteger sum(Collection<Party> parties, ToLongFunction<Party> part) {
    BigInteger sum = BigInteger.ZERO;
    for (Party party : parties) {
      sum = sum.add(BigInteger.valueOf(part.applyAsLong(party)));
    }
    return sum;
  }

  private static String list(Collection<Party> parties, ToLongFunction<Party> part) {
    StringBuilder text = new StringBuilder(" (");
    for (Party party : parties) {
      if (text.length() > 2) {
        text.append(", ");
      }
      text.append(party.name()).append(' ').append(part.applyAsLong(party));
    }
    return text.append(')').toString();
  }
}
