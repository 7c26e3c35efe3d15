package dev.weir.core.bound;

import dev.weir.core.math.Check;
import dev.weir.core.quota.Rate;
import java.math.BigInteger;
import java.util.List;

/**
 * Judges every window of a history of admissions against {@code B + R·(1+ρ)·t} plus the terms
 * given: one pass, constant work and memory per admission, exact.
 *
 * <p>For each admission {@code j} it keeps the worst window that ends there. With {@code E(j)} the
 * most that a window ending at {@code j} admitted beyond {@code R·(1+ρ)·t},
 *
 * <pre>{@code E(j) = cost(j) + max(0, E(j-1) - R·(1+ρ)·(t(j) - t(j-1)))}</pre>
 *
 * since the best window ending at {@code j} either begins there or prolongs the best one ending at
 * {@code j-1} (the maximum subarray of Bentley, "Programming Pearls", 1984, with a price on time).
 * The overshoot is the largest {@code E} less {@code B}. Windows that begin or end between
 * admissions are shorter in cost or longer in time than one of these.
 *
 * <p>Fractions are whole numbers over one denominator, in numbers without a limit, so that nothing
 * here can wrap or round: this is the checker, and it shares no arithmetic with what it checks. Not
 * safe for use by several threads.
 */
public final class WindowJudge {
  private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

  /** Micro-tokens allowed per nanosecond: {@code mintedPerNano / unit}. */
  private final BigInteger mintedPerNano;

  private final BigInteger unit;
  private final BigInteger burstUnits;

  private BigInteger windowUnits = BigInteger.ZERO;
  private BigInteger windowMicros = BigInteger.ZERO;
  private BigInteger worstUnits = BigInteger.ZERO;
  private BigInteger worstMicros = BigInteger.ZERO;
  private BigInteger totalMicros = BigInteger.ZERO;
  private boolean empty = true;
  private long lastNanos;
  private long windowFromNanos;
  private long worstFromNanos;
  private long worstToNanos;

  /**
   * A judge of {@code B + R·(1+ρ)·t}.
   *
   * @param driftPpm {@code ρ} in parts per million, in {@code [0, 1_000_000]}
   */
  public WindowJudge(Rate rate, long burstMicros, int driftPpm) {
    this(rate, burstMicros, driftPpm, List.of());
  }

  /**
   * A judge of {@code B + R·(1+ρ)·t} and of what {@code terms} add to it, each once and for the
   * whole history.
   *
   * @param driftPpm {@code ρ} in parts per million, in {@code [0, 1_000_000]}; it stretches the
   *     terms' rates as well
   * @throws IllegalArgumentException if a value is out of range or a term is unbounded: no window
   *     can break that
   */
  public WindowJudge(Rate rate, long burstMicros, int driftPpm, List<BoundTerm> terms) {
    Check.notNegative("burstMicros", burstMicros);
    Check.inRange("driftPpm", driftPpm, 0, 1_000_000);
    BigInteger numerator = BigInteger.valueOf(rate.micros());
    BigInteger denominator = BigInteger.valueOf(rate.perNanos());
    BigInteger once = BigInteger.valueOf(burstMicros);
    for (BoundTerm term : terms) {
      if (!term.bounded()) {
        throw new IllegalArgumentException("nothing can exceed the unbounded term " + term.cause());
      }
      BigInteger per = BigInteger.valueOf(term.rate().perNanos());
      numerator =
          numerator
              .multiply(per)
              .add(BigInteger.valueOf(term.rate().micros()).multiply(denominator));
      denominator = denominator.multiply(per);
      once = once.add(BigInteger.valueOf(term.onceMicros()));
    }
    numerator = numerator.multiply(MILLION.add(BigInteger.valueOf(driftPpm)));
    denominator = denominator.multiply(MILLION);
    BigInteger common = numerator.gcd(denominator);
    this.mintedPerNano = numerator.divide(common);
    this.unit = denominator.divide(common);
    this.burstUnits = once.multiply(unit);
  }

  /**
   * Takes in the next admission.
   *
   * @param atNanos the instant its tokens were taken; not before the one last given (by
   *     subtraction)
   * @param costMicros in {@code [0, Long.MAX_VALUE]}
   * @throws IllegalArgumentException if it comes out of order or its cost is negative
   */
  public void admitted(long atNanos, long costMicros) {
    Check.notNegative("costMicros", costMicros);
    if (empty) {
      begin(atNanos);
    }
    long elapsedNanos = atNanos - lastNanos;
    if (elapsedNanos < 0) {
      throw new IllegalArgumentException(
          "admissions must come in the order of time: " + -elapsedNanos + " ns before the last");
    }
    lastNanos = atNanos;
    if (elapsedNanos > 0) {
      windowUnits = windowUnits.subtract(mintedPerNano.multiply(BigInteger.valueOf(elapsedNanos)));
    }
    if (windowUnits.signum() < 0) {
      windowUnits = BigInteger.ZERO;
      windowMicros = BigInteger.ZERO;
      windowFromNanos = atNanos;
    }
    BigInteger cost = BigInteger.valueOf(costMicros);
    windowUnits = windowUnits.add(cost.multiply(unit));
    windowMicros = windowMicros.add(cost);
    totalMicros = totalMicros.add(cost);
    if (windowUnits.compareTo(worstUnits) > 0) {
      worstUnits = windowUnits;
      worstMicros = windowMicros;
      worstFromNanos = windowFromNanos;
      worstToNanos = atNanos;
    }
  }

  private void begin(long atNanos) {
    empty = false;
    lastNanos = atNanos;
    windowFromNanos = atNanos;
    worstFromNanos = atNanos;
    worstToNanos = atNanos;
  }

  /** The window that came nearest to its bound, or went furthest beyond it. */
  public Overshoot worst() {
    BigInteger excess = ceilingOfDivision(worstUnits.subtract(burstUnits), unit);
    return new Overshoot(saturated(excess), worstFromNanos, worstToNanos, saturated(worstMicros));
  }

  /** What the whole history admitted, saturated. */
  public long totalMicros() {
    return saturated(totalMicros);
  }

  /** What a window of this length may admit at most, rounded down, saturated. */
  public long allowedMicros(long windowNanos) {
    BigInteger minted = mintedPerNano.multiply(BigInteger.valueOf(windowNanos));
    return saturated(burstUnits.add(minted).divide(unit));
  }

  private static BigInteger ceilingOfDivision(BigInteger dividend, BigInteger divisor) {
    BigInteger[] parts = dividend.divideAndRemainder(divisor);
    return parts[1].signum() > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
  }

  private static long saturated(BigInteger value) {
    if (value.bitLength() < Long.SIZE) {
      return value.longValue();
    }
    return value.signum() > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
  }
}
