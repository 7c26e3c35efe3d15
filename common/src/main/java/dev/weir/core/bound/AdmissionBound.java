package dev.weir.core.bound;

import dev.weir.core.math.Check;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * What all regions together admit at most from one bucket of a quota, in every window of length
 * {@code t}: {@code B + R·(1+ρ)·t}, plus the terms whose cause was at work in it. The formula of
 * section 4 of the design, with one quota's numbers.
 *
 * <p>Terms that add nothing are listed too: that a lost coordinator costs nothing is part of the
 * promise.
 *
 * @param burstMicros {@code B}
 * @param driftPpm {@code ρ} in parts per million
 * @param terms in the order of the design's table
 */
public record AdmissionBound(
    QuotaId quota, Rate rate, long burstMicros, int driftPpm, List<BoundTerm> terms) {

  /** Keeps its own copy of the terms. */
  public AdmissionBound {
    terms = List.copyOf(terms);
  }

  /**
   * The bound of {@code quota} while it stays as it is.
   *
   * @param regions every region of its domain; budgets count once for each
   * @param driftPpm {@code ρ} in parts per million
   * @param guardNanos the guard, in nanoseconds
   */
  public static AdmissionBound of(
      QuotaSpec quota, List<Region> regions, int driftPpm, long guardNanos) {
    List<BoundTerm> terms = new SectionFour(quota, regions, guardNanos).terms();
    return new AdmissionBound(quota.id(), quota.rate(), quota.burstMicros(), driftPpm, terms);
  }

  /** This bound with one more term, such as {@link ChangeTerms#lowered}. */
  public AdmissionBound plus(BoundTerm term) {
    List<BoundTerm> more = new ArrayList<>(terms);
    more.add(term);
    return new AdmissionBound(quota, rate, burstMicros, driftPpm, more);
  }

  /** Whether every term sets a limit. */
  public boolean bounded() {
    return terms.stream().allMatch(BoundTerm::bounded);
  }

  /**
   * {@code B + R·(1+ρ)·t} alone, in micro-tokens, rounded down and saturated: what a window without
   * any cause at work may admit.
   *
   * @param windowNanos {@code t}, not negative
   */
  public long allowedMicros(long windowNanos) {
    Check.notNegative("windowNanos", windowNanos);
    BigInteger million = BigInteger.valueOf(1_000_000);
    BigInteger minted =
        BigInteger.valueOf(rate.micros())
            .multiply(BigInteger.valueOf(windowNanos))
            .multiply(million.add(BigInteger.valueOf(driftPpm)))
            .divide(BigInteger.valueOf(rate.perNanos()).multiply(million));
    BigInteger all = minted.add(BigInteger.valueOf(burstMicros));
    return all.bitLength() < Long.SIZE ? all.longValue() : Long.MAX_VALUE;
  }
}
