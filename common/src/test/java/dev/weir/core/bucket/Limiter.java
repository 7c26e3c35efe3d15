package dev.weir.core.bucket;

import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;

/** One face for the pure and the lock-free bucket, so that each promise is stated once. */
interface Limiter {
  /** Which of the two. */
  enum Kind {
    PURE,
    HOT;

    Limiter full(Rate rate, long burstTokens, long nowNanos) {
      return of(rate, burstTokens, Tokens.micros(burstTokens), nowNanos);
    }

    Limiter of(Rate rate, long burstTokens, long levelMicros, long nowNanos) {
      long burst = Tokens.micros(burstTokens);
      return this == PURE
          ? new Pure(new Bucket(levelMicros, 0, nowNanos, rate, burst))
          : new Hot(new HotBucket(SharedTerms.first(lasting(rate, burst), levelMicros, nowNanos)));
    }
  }

  /** The answer: what is left, or how long to wait as a negative number, or {@code NEVER}. */
  long take(long costMicros, long nowNanos);

  void change(Rate rate, long burstTokens, long nowNanos);

  default boolean admits(long tokens, long nowNanos) {
    return take(Tokens.micros(tokens), nowNanos) >= 0;
  }

  default long levelAt(long nowNanos) {
    return take(0, nowNanos);
  }

  static Footing lasting(Rate rate, long burstMicros) {
    return Footing.lasting(Standing.FLOOR, new Share(rate.micros(), burstMicros), rate.perNanos());
  }

  /** The value. */
  final class Pure implements Limiter {
    private Bucket bucket;

    Pure(Bucket bucket) {
      this.bucket = bucket;
    }

    @Override
    public long take(long costMicros, long nowNanos) {
      Bucket.Taking taking = bucket.take(costMicros, nowNanos);
      bucket = taking.after();
      if (taking.admitted()) {
        return bucket.levelMicros();
      }
      return taking.waitNanos() == Bucket.NEVER ? Bucket.NEVER : -taking.waitNanos();
    }

    @Override
    public void change(Rate rate, long burstTokens, long nowNanos) {
      bucket = bucket.with(rate, Tokens.micros(burstTokens), nowNanos);
    }
  }

  /** The one that decides. */
  record Hot(HotBucket bucket) implements Limiter {
    @Override
    public long take(long costMicros, long nowNanos) {
      return bucket.take(costMicros, nowNanos);
    }

    @Override
    public void change(Rate rate, long burstTokens, long nowNanos) {
      bucket.change(Change.to(lasting(rate, Tokens.micros(burstTokens))), nowNanos);
    }
  }
}
