package dev.weir.sim.fleet;

import dev.weir.core.quota.Rate;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a quota allows over time: its rate and burst, and after a change for a while also those of
 * before (S11). Of what is allowed at an instant the largest rate and the largest burst count.
 * Shared by the judges of all its buckets. Not safe for use by several threads.
 */
public final class Allowances {
  private static final BigInteger MILLION = BigInteger.valueOf(1_000_000);

  /** Parts of a micro-token are at least as fine as this. */
  private static final int FINE_BITS = 24;

  private final int driftPpm;
  private final List<Allowance> allowances = new ArrayList<>();
  private @Nullable Stretch latest;
  private int version;

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

  /**
   * A stretch of time in which nothing changes: {@code made / per} micro-tokens a nanosecond, in
   * small numbers, {@code ρ} included.
   *
   * @param version how many changes it knows
   */
  record Stretch(
      long fromNanos,
      long untilNanos,
      BigInteger made,
      BigInteger per,
      long burstMicros,
      int version) {
    boolean holdsAt(long nanos) {
      return fromNanos <= nanos && nanos < untilNanos;
    }
  }

  /** Nothing is allowed yet, by clocks that may be wrong by so much. */
  public Allowances(int driftPpm) {
    this.driftPpm = driftPpm;
  }

  /** Allows so much from now on, and what was allowed until now for some time more. */
  public void change(long nowNanos, long lagNanos, Rate rate, long burstMicros) {
    if (!allowances.isEmpty()) {
      allowances.get(allowances.size() - 1).untilNanos = nowNanos + lagNanos;
    }
    allowances.add(new Allowance(nowNanos, rate, burstMicros));
    latest = null;
    version++;
  }

  /** Floors that regions which have not heard of a change may still use, all together (S11). */
  public void floors(long nowNanos, Rate rate, long burstMicros) {
    allowances.add(0, new Allowance(nowNanos, rate, burstMicros));
    latest = null;
    version++;
  }

  /** Since when anything is allowed; the end of time where nothing is. */
  long firstNanos() {
    return allowances.stream().mapToLong(each -> each.fromNanos).min().orElse(Long.MAX_VALUE);
  }

  /** How many changes there were. */
  int version() {
    return version;
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

  /** The burst that is allowed at an instant. */
  long burstMicros(long nowNanos) {
    return at(nowNanos).burstMicros();
  }

  /** What all windows that begin and end in a stretch of time may admit, rounded up. */
  public long mostMicros(long fromNanos, long toNanos) {
    BigInteger sum = BigInteger.valueOf(burstMicros(fromNanos));
    for (long at = fromNanos; at < toNanos; ) {
      Stretch stretch = at(at);
      long next = Math.min(toNanos, stretch.untilNanos());
      BigInteger made = stretch.made().multiply(BigInteger.valueOf(next - at));
      sum = sum.add(made.add(stretch.per()).subtract(BigInteger.ONE).divide(stretch.per()));
      at = next;
    }
    return sum.bitLength() < Long.SIZE ? sum.longValue() : Long.MAX_VALUE;
  }

  /** The stretch of time around an instant. */
  Stretch at(long nanos) {
    Stretch known = latest;
    if (known != null && known.holdsAt(nanos)) {
      return known;
    }
    long from = Long.MIN_VALUE;
    long until = Long.MAX_VALUE;
    Rate fastest = Rate.ZERO;
    long most = 0;
    for (Allowance allowance : allowances) {
      if (allowance.holdsAt(nanos)) {
        from = Math.max(from, allowance.fromNanos);
        until = Math.min(until, allowance.untilNanos);
        fastest = Rate.BY_SPEED.compare(allowance.rate, fastest) > 0 ? allowance.rate : fastest;
        most = Math.max(most, allowance.burstMicros);
      } else if (allowance.fromNanos > nanos) {
        until = Math.min(until, allowance.fromNanos);
      } else {
        from = Math.max(from, allowance.untilNanos);
      }
    }
    BigInteger made =
        BigInteger.valueOf(fastest.micros()).multiply(MILLION.add(BigInteger.valueOf(driftPpm)));
    BigInteger per = BigInteger.valueOf(fastest.perNanos()).multiply(MILLION);
    BigInteger common = made.gcd(per);
    // A part of a micro-token that is carried into this stretch must not be lost.
    int finer = Math.max(0, FINE_BITS - per.divide(common).bitLength());
    Stretch found =
        new Stretch(
            from,
            until,
            made.divide(common).shiftLeft(finer),
            per.divide(common).shiftLeft(finer),
            most,
            version);
    latest = found;
    return found;
  }
}
