package dev.weir.core.bucket;

import dev.weir.core.math.MulDiv;

/**
 * What a {@link HotBucket} must be, written with the pure {@link Bucket}: one thread, time that
 * does not go backwards.
 */
final class BucketModel {
  private Bucket bucket;
  private Footing footing;
  private long madeMicros;
  private long pendingMicros;
  private long epoch;
  long admittedMicros;
  long refusedMicros;

  BucketModel(Footing footing, long levelMicros, long nowNanos) {
    this.footing = footing;
    long burst = footing.share().burstMicros();
    bucket = new Bucket(Math.min(levelMicros, burst), 0, nowNanos, footing.rate(), burst);
  }

  private BucketModel(BucketModel other) {
    bucket = other.bucket;
    footing = other.footing;
  }

  /** What was taken, and how much could have been in the bucket at most then. */
  record Held(long costMicros, long highestMicros, long madeMicros, long epoch) {}

  Footing footing() {
    return footing;
  }

  long levelAt(long nowNanos) {
    moveTo(nowNanos);
    return bucket.levelMicros();
  }

  long take(long costMicros, long nowNanos) {
    moveTo(nowNanos);
    if (costMicros <= bucket.levelMicros()) {
      bucket = bucket.plus(-costMicros);
      admittedMicros += costMicros;
      return bucket.levelMicros();
    }
    refusedMicros += costMicros;
    long wait = new BucketModel(this).waitNanos(costMicros, nowNanos);
    return wait == Bucket.NEVER ? Bucket.NEVER : -wait;
  }

  Held held(long costMicros) {
    Held held = new Held(costMicros, bucket.levelMicros() + pendingMicros, madeMicros, epoch);
    pendingMicros += costMicros;
    return held;
  }

  void keep(Held held) {
    pendingMicros -= held.costMicros();
  }

  long giveBack(Held held, long nowNanos, boolean voided) {
    moveTo(nowNanos);
    pendingMicros -= held.costMicros();
    admittedMicros -= held.costMicros();
    if (voided || epoch != held.epoch()) {
      return 0;
    }
    long highest = held.highestMicros() + (madeMicros - held.madeMicros());
    long room = highest < 0 ? 0 : Math.max(0, bucket.burstMicros() - highest);
    long given = Math.min(held.costMicros(), room);
    bucket = bucket.plus(given);
    return given;
  }

  long pendingMicros() {
    return pendingMicros;
  }

  long change(Change change, long nowNanos) {
    moveTo(nowNanos);
    footing = change.footing().at(nowNanos);
    long burst = footing.share().burstMicros();
    long cut = Math.max(0, bucket.levelMicros() - burst);
    long room = Math.max(0, burst - change.highestMicros());
    bucket = bucket.with(footing.rate(), burst, nowNanos).plus(Math.min(room, change.addMicros()));
    epoch++;
    return cut;
  }

  void renew(Footing renewed) {
    footing = renewed;
  }

  private void moveTo(long nowNanos) {
    while (footing.ends() && nowNanos - footing.endsAtNanos() >= 0) {
      long endNanos = footing.endsAtNanos();
      refill(endNanos);
      footing = footing.following();
      bucket = bucket.with(footing.rate(), footing.share().burstMicros(), endNanos);
      epoch++;
    }
    refill(nowNanos);
  }

  private void refill(long nowNanos) {
    long elapsed = Math.max(0, nowNanos - bucket.atNanos());
    madeMicros +=
        MulDiv.down(bucket.rate().micros(), elapsed, bucket.carry(), bucket.rate().perNanos());
    bucket = bucket.refill(nowNanos);
  }

  private long waitNanos(long costMicros, long nowNanos) {
    long atNanos = nowNanos;
    while (true) {
      long wait = bucket.waitNanos(costMicros, atNanos);
      if (wait != Bucket.NEVER && (!footing.ends() || wait < footing.endsAtNanos() - atNanos)) {
        return Minting.waitOf(wait + (atNanos - nowNanos));
      }
      if (!footing.ends()) {
        return Bucket.NEVER;
      }
      atNanos = footing.endsAtNanos();
      moveTo(atNanos);
    }
  }
}
