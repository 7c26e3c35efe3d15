package dev.weir.sim.fleet;

import dev.weir.core.quota.Rate;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges a history of admissions by {@code B + R·(1+ρ)·t} where the quota changes on the way: a
 * window may admit the burst that was allowed when it began, and what was made at the rate allowed
 * at every instant of it. The same recurrence as {@code WindowJudge}, with rate and burst as
 * functions of time.
 */
final class ChangingJudge {
  private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);
  private static final BigInteger UNIT = BigInteger.valueOf(3_600_000_000_000L * 24 * 7);

  private final int driftPpm;
  private final List<Allowance> allowances = new ArrayList<>();
  private boolean any;
  private BigInteger excessUnits = BigInteger.ZERO;
  private BigInteger worstUnits = BigInteger.ZERO;
  private long atNanos;
  private long worstAtNanos;
  private long totalMicros;

  /** What is allowed from an instant until another. */
  private static final class Allowance {
    final long fromNanos;
    long untilNanos = Long.MAX_VALUE;
    final Rate rate;
    final long burstMicros;

    Allowance(long fromNanos, Rate rate, long burstMicros) {
      this.fromNanos = fromNanos;
      this.rate = rate;
      this.burstMicros = burstMicros;
    }

    boolean holdsAt(long nanos) {
      return fromNanos <= nanos && nanos < untilNanos;
    }
  }

  ChangingJudge(int driftPpm) {
    this.driftPpm = driftPpm;
  }

  /**
   * Allows so much from now on, and what was allowed until now for some time more; of what is
   * allowed at an instant the largest rate and the largest burst count.
   */
  void change(long nowNanos, long lagNanos, Rate rate, long burstMicros) {
    if (!allowances.isEmpty()) {
      // A window may begin just before the change.
      admitted(nowNanos, 0);
      allowances.get(allowances.size() - 1).untilNanos = nowNanos + lagNanos;
    }
    allowances.add(new Allowance(nowNanos, rate, burstMicros));
  }

  /** Floors that regions which have not heard of a change may still use, all together (S11). */
  void floors(long nowNanos, Rate rate, long burstMicros) {
    allowances.add(0, new Allowance(nowNanos, rate, burstMicros));
  }

  long rateMicros(long nowNanos, long perNanos) {
    long most = 0;
    for (Allowance allowance : allowances) {
      if (allowance.holdsAt(nowNanos)) {
        most = Math.max(most, allowance.rate.toPer(perNanos, true).micros());
      }
    }
    return most;
  }

  long burstMicros(long nowNanos) {
    long most = 0;
    for (Allowance allowance : allowances) {
      if (allowance.holdsAt(nowNanos)) {
        most = Math.max(most, allowance.burstMicros);
      }
    }
    return most;
  }

  void admitted(long nanos, long micros) {
    BigInteger begun = BigInteger.valueOf(-burstMicros(nanos)).multiply(unit());
    excessUnits = any ? excessUnits.subtract(minted(atNanos, nanos)).max(begun) : begun;
    any = true;
    atNanos = nanos;
    totalMicros += micros;
    excessUnits = excessUnits.add(BigInteger.valueOf(micros).multiply(unit()));
    if (excessUnits.compareTo(worstUnits) > 0) {
      worstUnits = excessUnits;
      worstAtNanos = nanos;
    }
  }

  /** Micro-tokens beyond what was allowed, in the worst window, rounded down. */
  long excessMicros() {
    return worstUnits.divide(unit()).longValueExact();
  }

  /** When the worst window ended. */
  long worstAtNanos() {
    return worstAtNanos;
  }

  long totalMicros() {
    return totalMicros;
  }

  private static BigInteger unit() {
    return UNIT.multiply(MILLION);
  }

  private BigInteger minted(long fromNanos, long toNanos) {
    BigInteger sum = BigInteger.ZERO;
    long at = fromNanos;
    while (at < toNanos) {
      long next = toNanos;
      BigInteger fastest = BigInteger.ZERO;
      for (Allowance allowance : allowances) {
        if (allowance.holdsAt(at)) {
          next = Math.min(next, allowance.untilNanos);
          fastest = fastest.max(perNano(allowance.rate));
        } else if (allowance.fromNanos > at) {
          next = Math.min(next, allowance.fromNanos);
        }
      }
      sum = sum.add(fastest.multiply(BigInteger.valueOf(next - at)));
      at = next;
    }
    return sum;
  }

  /** Rounded up. */
  private BigInteger perNano(Rate rate) {
    BigInteger per = BigInteger.valueOf(rate.perNanos());
    return BigInteger.valueOf(rate.micros())
        .multiply(UNIT)
        .multiply(MILLION.add(BigInteger.valueOf(driftPpm)))
        .add(per.subtract(BigInteger.ONE))
        .divide(per);
  }
}
