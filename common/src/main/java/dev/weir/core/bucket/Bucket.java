package dev.weir.core.bucket;

import dev.weir.core.math.MulDiv;
import dev.weir.core.quota.Rate;

public record Bucket(long levelMicros, long carry, long atNanos, Rate rate, long burstMicros) {
  public Bucket refill(long nowNanos) {
    long elapsed = nowNanos - atNanos;
    if (elapsed <= 0) {
      return this;
    }
    MulDiv m = MulDiv.floor(rate.micros(), elapsed, carry, rate.perNanos());
    long level =
        m.quotient() > burstMicros - levelMicros ? burstMicros : levelMicros + m.quotient();
    return new Bucket(level, level == burstMicros ? 0 : m.remainder(), nowNanos, rate, burstMicros);
  }

  public Bucket with(Rate r, long burst, long nowNanos) {
    Bucket b = refill(nowNanos);
    return new Bucket(
        Math.min(b.levelMicros, burst), r.equals(rate) ? b.carry : 0, b.atNanos, r, burst);
  }
}
