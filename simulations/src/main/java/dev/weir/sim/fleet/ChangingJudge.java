package dev.weir.sim.fleet;

import dev.weir.sim.fleet.Allowances.Stretch;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Judges one bucket's history of admissions by {@code B + R·(1+ρ)·t} where the quota may change on
 * the way: a window may admit the burst that was allowed when it began, and what was made at the
 * rate allowed at every instant of it. The same recurrence as {@code WindowJudge}, with rate and
 * burst as functions of time.
 *
 * <p>It counts in whole micro-tokens and carries the part of one that was made beyond those it has
 * subtracted: so nothing is lost, and small numbers are quick. Where they are not small it counts
 * in numbers without a limit. Not safe for use by several threads.
 */
public final class ChangingJudge {
  private final Allowances allowances;
  private @Nullable Stretch stretch;

  /** Of the stretch; {@code per} is 0 where a long has no room for them. */
  private long made;

  private long per;

  /** Beyond what the worst window that ends now may admit, were nothing carried. */
  private long excessMicros;

  /** What was made beyond the micro-tokens subtracted, in parts of {@code per}. */
  private long carry;

  private BigInteger bigCarry = BigInteger.ZERO;

  private long worstMicros;
  private long atNanos;
  private long worstAtNanos;
  private long totalMicros;
  private double level;
  private double worstLevel;

  /** A judge by these allowances, of a bucket that has admitted nothing. */
  public ChangingJudge(Allowances allowances) {
    this.allowances = allowances;
  }

  /** What is allowed, and when. */
  Allowances allowances() {
    return allowances;
  }

  /**
   * Takes in an admission.
   *
   * @param nanos true time, not before the last one's
   */
  public void admitted(long nanos, long micros) {
    Stretch now = current(stretch == null ? begun(nanos) : stretch);
    while (nanos >= now.untilNanos()) {
      now = cross(now);
    }
    mint(nanos - atNanos, now.burstMicros());
    atNanos = nanos;
    totalMicros += micros;
    excessMicros += micros;
    long excess = excess();
    level = level(now, excess);
    worstLevel = Math.max(worstLevel, level);
    if (excess > worstMicros) {
      worstMicros = excess;
      worstAtNanos = nanos;
    }
  }

  /**
   * Windows begin with the first allowance, also those of a bucket that nobody has asked for: what
   * was allowed in the meantime, and no longer is, counts for them too.
   */
  private Stretch begun(long nanos) {
    atNanos = Math.min(nanos, allowances.firstNanos());
    Stretch first = allowances.at(atNanos);
    enter(first);
    excessMicros = -first.burstMicros();
    return first;
  }

  /** A change may have ended the stretch since. */
  private Stretch current(Stretch known) {
    if (known.version() == allowances.version()) {
      return known;
    }
    Stretch now = allowances.at(Math.max(atNanos, known.fromNanos()));
    if (now.made().equals(known.made()) && now.per().equals(known.per())) {
      stretch = now;
    } else {
      enter(now);
    }
    return now;
  }

  /** Goes on to the next stretch; a window may also begin just before it. */
  private Stretch cross(Stretch from) {
    mint(from.untilNanos() - atNanos, from.burstMicros());
    atNanos = from.untilNanos();
    Stretch next = allowances.at(atNanos);
    enter(next);
    return next;
  }

  private void enter(Stretch next) {
    Stretch before = stretch;
    BigInteger carried = per == 0 ? bigCarry : BigInteger.valueOf(carry);
    bigCarry = before == null ? carried : carried.multiply(next.per()).divide(before.per());
    boolean small =
        next.made().bitLength() < Long.SIZE - 1 && next.per().bitLength() < Long.SIZE - 1;
    made = small ? next.made().longValueExact() : 0;
    per = small ? next.per().longValueExact() : 0;
    carry = small ? bigCarry.longValueExact() : 0;
    stretch = next;
  }

  /** Subtracts what may be admitted for the time that passed; a window may begin at its end. */
  private void mint(long nanos, long burstMicros) {
    long low = made * nanos;
    long sum = low + carry;
    if (per != 0 && Math.multiplyHigh(made, nanos) == 0 && low >= 0 && sum >= 0) {
      excessMicros -= sum / per;
      carry = sum % per;
    } else {
      mintSlowly(nanos);
    }
    if (excessMicros <= -burstMicros) {
      excessMicros = -burstMicros;
      carry = 0;
      bigCarry = BigInteger.ZERO;
    }
  }

  private void mintSlowly(long nanos) {
    Stretch now = stretch;
    if (now == null) {
      return;
    }
    BigInteger carried = per == 0 ? bigCarry : BigInteger.valueOf(carry);
    BigInteger[] minted =
        now.made().multiply(BigInteger.valueOf(nanos)).add(carried).divideAndRemainder(now.per());
    // What is beyond a long is beyond every burst.
    long micros =
        minted[0].bitLength() < Long.SIZE - 2 ? minted[0].longValue() : Long.MAX_VALUE / 2;
    excessMicros -= micros;
    bigCarry = minted[1];
    carry = per == 0 ? 0 : minted[1].longValueExact();
  }

  private long excess() {
    return carry == 0 && (per != 0 || bigCarry.signum() == 0) ? excessMicros : excessMicros - 1;
  }

  /**
   * How near the worst window that ends with the last admission came to its bound: what it admitted
   * beyond {@code R·(1+ρ)·t} as a part of {@code B}. 1 is at the bound.
   */
  public double level() {
    return level;
  }

  /** The highest {@link #level} there was; 0 where nothing was admitted. */
  public double worstLevel() {
    return worstLevel;
  }

  private static double level(Stretch now, long excessMicros) {
    return now.burstMicros() == 0 ? 0 : 1 + excessMicros / (double) now.burstMicros();
  }

  /** Micro-tokens beyond what was allowed, in the worst window, rounded down. */
  public long excessMicros() {
    return worstMicros;
  }

  /**
   * The same where the bucket is split: less a micro-token for each share, for each may be a
   * fraction of one ahead of what it shows.
   */
  public long excessMicros(int shares) {
    return Math.max(0, worstMicros - shares);
  }

  /** When the worst window ended. */
  public long worstAtNanos() {
    return worstAtNanos;
  }

  /** All that was admitted. */
  public long totalMicros() {
    return totalMicros;
  }
}
