package dev.weir.core.bucket;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.math.Check;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import org.jspecify.annotations.Nullable;

/**
 * What a bucket may spend, until when, and what comes after: a lease, then the floor, then nothing;
 * or nothing while the floor is lent, then the floor. Immutable, and shared by many buckets.
 *
 * @param share rate and burst of the whole bucket (floor and lease), each at most {@link
 *     Tokens#MAX_MICROS}
 * @param perNanos the unit of the share's rate, in {@code [1, Rate.MAX_PER_NANOS]}
 * @param ends whether it ends by itself
 * @param endsAtNanos the instant from which it is no longer good; 0 where it does not end
 * @param next what comes then; null for nothing
 */
public record Footing(
    Standing standing,
    Share share,
    long perNanos,
    boolean ends,
    long endsAtNanos,
    @Nullable Footing next) {
  public Footing {
    Check.inRange("rateMicros", share.rateMicros(), 0, Tokens.MAX_MICROS);
    Check.inRange("burstMicros", share.burstMicros(), 0, Tokens.MAX_MICROS);
    Check.inRange("perNanos", perNanos, 1, Rate.MAX_PER_NANOS);
  }

  /** Returns what holds until it is changed. */
  public static Footing lasting(Standing standing, Share share, long perNanos) {
    return new Footing(standing, share, perNanos, false, 0, null);
  }

  /** Returns nothing at all. */
  public static Footing nothing(Standing standing) {
    return lasting(standing, Share.ZERO, Nanos.SECOND_NANOS);
  }

  /**
   * Returns this, but ending at an instant, with {@code next} from then on. At that instant the
   * level is cut to the next burst and refills at the next rate (S6).
   */
  public Footing until(long instantNanos, @Nullable Footing following, Rules rules) {
    // Without the clause nothing but a timer ends it: whoever holds the lease changes the bucket.
    return rules.on(Clause.S6_DECISION_CHECKS_EXPIRY)
        ? new Footing(standing, share, perNanos, true, instantNanos, following)
        : lasting(standing, share, perNanos);
  }

  /** Returns the rate, with its unit. */
  public Rate rate() {
    return new Rate(share.rateMicros(), perNanos);
  }

  /** Returns what is in force at an instant: this, or the first after it that has not ended. */
  Footing at(long nowNanos) {
    Footing footing = this;
    while (footing.ends && Nanos.hasReached(nowNanos, footing.endsAtNanos)) {
      footing = footing.following();
    }
    return footing;
  }

  /** Returns what comes after this; nothing, if nothing was said. */
  Footing following() {
    return next != null ? next : nothing(standing);
  }
}
