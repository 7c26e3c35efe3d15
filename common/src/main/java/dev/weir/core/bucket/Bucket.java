package dev.weir.core.bucket;

import dev.weir.core.math.Check;
import dev.weir.core.math.MulDiv;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.Rate;

/**
 * A token bucket as a value: what it held at an instant, and how it goes on from there. {@link
 * HotBucket} is the same bucket for many threads, and equals this one step by step.
 *
 * <p>Tokens are counted in whole micro-tokens. The one under way is {@code carry}; it is kept when
 * the bucket is full and when the rate changes, so that long runs neither gain nor lose. A window
 * of length {@code t} therefore admits at most {@code burst} plus {@code rate · t} <em>rounded up
 * to a whole micro-token</em>.
 *
 * @param levelMicros micro-tokens at {@code atNanos}, in {@code [0, burstMicros]}
 * @param carry the part made of the next micro-token, in units of {@code 1 / rate.perNanos}, in
 *     {@code [0, rate.perNanos)}
 * @param atNanos the instant this was true, of a monotonic clock
 * @param burstMicros most it may hold, not negative
 */
public record Bucket(long levelMicros, long carry, long atNanos, Rate rate, long burstMicros) {
  /** The wait of a request that no amount of waiting helps, or only 146 years of it. */
  public static final long NEVER = Long.MIN_VALUE;

  public Bucket {
    Check.notNegative("burstMicros", burstMicros);
    Check.inRange("levelMicros", levelMicros, 0, burstMicros);
    Check.inRange("carry", carry, 0, rate.perNanos() - 1);
  }

  /** Returns a bucket that is full at an instant. */
  public static Bucket full(Rate rate, long burstMicros, long atNanos) {
    return new Bucket(burstMicros, 0, atNanos, rate, burstMicros);
  }

  /** Returns a bucket that is empty at an instant. */
  public static Bucket empty(Rate rate, long burstMicros, long atNanos) {
    return new Bucket(0, 0, atNanos, rate, burstMicros);
  }

  /**
   * Returns this bucket at a later instant, with what was made until then and found room; itself
   * where time has not passed or goes backwards.
   */
  public Bucket refill(long nowNanos) {
    long elapsedNanos = Minting.elapsedNanos(atNanos, nowNanos);
    if (elapsedNanos == 0) {
      return this;
    }
    long madeMicros = MulDiv.down(rate.micros(), elapsedNanos, carry, rate.perNanos());
    return new Bucket(
        levelMicros + Math.min(madeMicros, burstMicros - levelMicros),
        Minting.carry(rate.micros(), elapsedNanos, carry, rate.perNanos()),
        nowNanos,
        rate,
        burstMicros);
  }

  /** Returns the micro-tokens there are at an instant, in {@code [0, burstMicros]}. */
  public long levelAt(long nowNanos) {
    return refill(nowNanos).levelMicros;
  }

  /**
   * Decides about one request; a refused one changes nothing, and cost 0 looks.
   *
   * @throws IllegalArgumentException if the cost is negative
   */
  public Taking take(long costMicros, long nowNanos) {
    Check.notNegative("costMicros", costMicros);
    Bucket filled = refill(nowNanos);
    if (costMicros <= filled.levelMicros) {
      return new Taking(filled.plus(-costMicros), true, 0);
    }
    return new Taking(filled, false, filled.waitNanos(costMicros, nowNanos));
  }

  /**
   * Returns how long after {@code nowNanos} a request of that cost is first admitted, if none comes
   * between: rounded up to a nanosecond, 0 if it is admitted now, {@link #NEVER} if its cost passes
   * the burst or the bucket never refills.
   */
  public long waitNanos(long costMicros, long nowNanos) {
    Bucket filled = refill(nowNanos);
    if (costMicros <= filled.levelMicros) {
      return 0;
    }
    if (costMicros > burstMicros || rate.micros() == 0) {
      return NEVER;
    }
    // ceil((wanted * per - carry) / micros), written with sums only.
    long perNanos = rate.perNanos();
    long nanos =
        MulDiv.up(
            costMicros - filled.levelMicros - 1, perNanos, perNanos - filled.carry, rate.micros());
    return Minting.waitOf(Nanos.plus(nanos, Nanos.elapsed(nowNanos, filled.atNanos)));
  }

  /**
   * Returns this bucket under another rate and burst from {@code nowNanos} on: what was made until
   * then was made at the old rate, the level stays and is cut to the new burst, nothing is filled.
   * The micro-token under way goes over as time, see {@link Minting#nanosUnderWay}.
   */
  public Bucket with(Rate newRate, long newBurstMicros, long nowNanos) {
    Bucket filled = refill(nowNanos);
    return new Bucket(
        Math.min(filled.levelMicros, newBurstMicros),
        filled.carryAt(newRate),
        filled.atNanos,
        newRate,
        newBurstMicros);
  }

  /**
   * Returns this bucket with so many micro-tokens more, or fewer where negative, kept within {@code
   * [0, burstMicros]}.
   */
  public Bucket plus(long micros) {
    long level =
        micros > 0
            ? levelMicros + Math.min(micros, burstMicros - levelMicros)
            : Math.max(0, levelMicros + micros);
    return new Bucket(level, carry, atNanos, rate, burstMicros);
  }

  private long carryAt(Rate newRate) {
    if (newRate.equals(rate)) {
      return carry;
    }
    return Minting.nanosUnderWay(carry, rate.perNanos(), newRate) * newRate.micros();
  }

  /**
   * A decision.
   *
   * @param after the bucket after it
   * @param waitNanos 0 if admitted; else how long until it would be, rounded up, or {@link #NEVER}
   */
  public record Taking(Bucket after, boolean admitted, long waitNanos) {}
}
