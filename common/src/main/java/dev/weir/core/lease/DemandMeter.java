package dev.weir.core.lease;

import dev.weir.core.math.MulDiv;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.Tokens;

/**
 * An agent's estimate of what is asked for in one bucket (section 3 of the design): it rises at
 * once, and falls slowly unless others are refused or the fall is plain. Not thread-safe.
 *
 * <p>It is read at each request, and where much is asked for it is looked at more often in between:
 * a load that has left is noticed within {@link Edge#LOOK_NANOS} and not only at the next request.
 * A look that was wrong (the load is back within a second) makes it wary for a while.
 */
final class DemandMeter {
  /** Below this a measurement says nothing. */
  private static final long SHORTEST_NANOS = 15 * Nanos.MILLISECOND_NANOS;

  /** What few requests tell is believed when it has lasted so long. */
  private static final long RISE_NANOS = 90 * Nanos.MILLISECOND_NANOS;

  /** A fall is believed when so many requests would have come had there been none. */
  private static final long TELLING_REQUESTS = 10;

  /** Looking more often pays where so many requests come between two looks. */
  private static final long WATCHED_REQUESTS = 20;

  /** So many standard deviations of random arrivals are not noise. */
  private static final double DEVIATIONS = 4;

  /** A load that is back so soon had not left. */
  private static final long BACK_NANOS = Nanos.SECOND_NANOS;

  /** For how long looks are not believed after a wrong one; doubled each time, up to the other. */
  private static final long WARY_NANOS = 30 * Nanos.SECOND_NANOS;

  private static final long WARY_MOST_NANOS = 600 * Nanos.SECOND_NANOS;

  /** A load that went on for so long and stops has left; one that did not comes in lumps. */
  private static final long STEADY_NANOS = 500 * Nanos.MILLISECOND_NANOS;

  /** So long the next lump is waited for, while nobody else wants what it would find. */
  private static final long LULL_NANOS = 10 * Nanos.SECOND_NANOS;

  /** Over such a time demand is averaged where nothing presses. */
  private static final long AVERAGED_NANOS = Nanos.SECOND_NANOS;

  /**
   * And so many times faster between lumps while others wait. Measured: at once, lumps beside
   * others find a quarter less than there would be for them; no faster, a quota that many want is
   * used to 95 % where 97 % are in reach.
   */
  private static final long PRESSED_TIMES = 6;

  /** Of what requests cost, each new one tells this much. */
  private static final double COST_PART = 0.125;

  private double costs;
  private double squaredCosts;
  private long askedMicros;
  private long atNanos;
  private long estimateMicros;
  private long lastRateMicros;
  private boolean fell;
  private boolean fresh = true;

  private long resumedAtNanos;
  private long busyAtNanos;
  private boolean quiet = true;
  private long lastAskedAtNanos;

  private long lookedMicros;
  private long lookedAtNanos;
  private boolean left;
  private long leftAtNanos;
  private long leftMicros;
  private long waryUntilNanos;
  private long waryNanos;

  DemandMeter(long askedMicros, long nowNanos) {
    this.askedMicros = askedMicros;
    this.atNanos = nowNanos;
    this.lookedMicros = askedMicros;
    this.lookedAtNanos = nowNanos;
    this.waryUntilNanos = nowNanos;
    this.lastAskedAtNanos = nowNanos;
  }

  /**
   * Notes what a request cost. The same demand in fewer and larger requests is noisier: between two
   * of them nothing is asked for, and the load has not left.
   */
  void cost(long micros) {
    costs += COST_PART * (micros - costs);
    squaredCosts += COST_PART * ((double) micros * micros - squaredCosts);
  }

  /**
   * As if all requests cost the same: so large they would be to vary as much as they do. A token
   * where nothing is known.
   */
  private long requestMicros() {
    return Math.max(Tokens.MICROS_PER_TOKEN, costs == 0 ? 0 : (long) (squaredCosts / costs));
  }

  private boolean tells(long micros, long requests) {
    return micros / requests >= requestMicros();
  }

  /**
   * Takes a reading.
   *
   * @param totalMicros running total asked for
   * @param mostMicros what the quota makes in a second: wanting more is no more use
   * @param contended whether others want more than they have
   * @param calm whether there is enough in the bucket for a while
   * @return micro-tokens per second
   */
  long read(long totalMicros, long mostMicros, long nowNanos, boolean contended, boolean calm) {
    long elapsed = nowNanos - atNanos;
    if (elapsed < SHORTEST_NANOS) {
      return estimateMicros;
    }
    long asked = Math.max(0, totalMicros - askedMicros);
    long rate = MulDiv.down(asked, Nanos.SECOND_NANOS, elapsed);
    long expected = expected(estimateMicros, elapsed);
    if (!tells(Math.max(asked, expected), TELLING_REQUESTS) && elapsed < RISE_NANOS) {
      // A few requests in a moment are not yet a rate, and none are not yet a fall.
      return estimateMicros;
    }
    askedMicros = totalMicros;
    atNanos = nowNanos;
    fresh = false;
    // One quiet interval between busy ones is a fall only where others wait and it says enough.
    long lately = contended && isUnlikely(asked, expected) ? rate : Math.max(rate, lastRateMicros);
    lastRateMicros = rate;
    boolean plain = tells(expected, TELLING_REQUESTS) && lately < estimateMicros / 2;
    boolean lull = plain && !wasSteady();
    if (asked > 0) {
      lastAskedAtNanos = nowNanos;
    }
    boolean quietNow = asked == 0 || asked < expected / 2;
    if (!quietNow) {
      resumedAtNanos = quiet ? nowNanos : resumedAtNanos;
      busyAtNanos = nowNanos;
    }
    quiet = quietNow;
    if (plain && !lull) {
      fell = true;
      estimateMicros = lately;
    } else if (lull) {
      // The next lump is expected: until then what this asks for on average.
      long times = contended ? PRESSED_TIMES : 1;
      estimateMicros = towards(rate, Math.min(times * elapsed, AVERAGED_NANOS));
      if (contended) {
        estimateMicros = Math.min(estimateMicros, mostMicros);
      }
    } else if (contended && calm) {
      // The bucket bears the noise: what is claimed beyond the mean would only be missing
      // elsewhere.
      estimateMicros = towards(rate, Math.min(elapsed, AVERAGED_NANOS));
    } else if (lately >= estimateMicros) {
      estimateMicros = lately;
    } else {
      long lost =
          Math.max(
              MulDiv.down(
                  estimateMicros, Math.min(elapsed, Nanos.SECOND_NANOS), Nanos.SECOND_NANOS),
              elapsed / 1_000);
      estimateMicros = Math.max(lately, estimateMicros - lost);
    }
    if (!contended && nowNanos - lastAskedAtNanos < LULL_NANOS) {
      estimateMicros = Math.max(1, estimateMicros);
    }
    noticeReturn(nowNanos);
    return estimateMicros;
  }

  /** Whether so much is asked for that looking between requests can tell anything. */
  boolean isWorthWatching() {
    long expected = expected(left ? leftMicros : estimateMicros, Edge.LOOK_NANOS);
    return tells(expected, WATCHED_REQUESTS);
  }

  /**
   * Looks whether the load has left since the last look.
   *
   * @param totalMicros running total asked for
   * @return whether it has just been seen to have left
   */
  boolean look(long totalMicros, long nowNanos) {
    long elapsed = nowNanos - lookedAtNanos;
    if (elapsed < SHORTEST_NANOS) {
      return false;
    }
    long asked = Math.max(0, totalMicros - lookedMicros);
    lookedMicros = totalMicros;
    lookedAtNanos = nowNanos;
    // The first look that shows it may have seen the last of the load as well; the next ones tell.
    long before = left ? leftMicros : estimateMicros;
    long expected = expected(before, elapsed);
    long rate = MulDiv.down(asked, Nanos.SECOND_NANOS, elapsed);
    // After a longer time it was not watched: the requests have seen what there was to see.
    boolean watched = elapsed <= 2 * Edge.LOOK_NANOS;
    boolean believed = left || (nowNanos - waryUntilNanos >= 0 && wasSteady());
    if (!watched
        || !believed
        || !tells(expected, WATCHED_REQUESTS)
        || rate >= before / 4
        || rate >= estimateMicros
        || !isUnlikely(asked, expected)) {
      return false;
    }
    if (!left) {
      left = true;
      leftAtNanos = nowNanos;
      leftMicros = estimateMicros;
    }
    estimateMicros = rate;
    lastRateMicros = rate;
    askedMicros = totalMicros;
    atNanos = nowNanos;
    fell = true;
    return true;
  }

  private void noticeReturn(long nowNanos) {
    if (left && nowNanos - leftAtNanos > BACK_NANOS) {
      left = false;
      waryNanos = 0;
    } else if (left && estimateMicros >= leftMicros / 2) {
      left = false;
      waryNanos = Math.min(WARY_MOST_NANOS, Math.max(WARY_NANOS, 2 * waryNanos));
      waryUntilNanos = nowNanos + waryNanos;
    }
  }

  /** Whether the load, as long as it lasted, came without gaps. */
  private boolean wasSteady() {
    return busyAtNanos - resumedAtNanos >= STEADY_NANOS;
  }

  private static long expected(long rateMicros, long elapsedNanos) {
    return MulDiv.down(rateMicros, elapsedNanos, Nanos.SECOND_NANOS);
  }

  private boolean isUnlikely(long askedMicros, long expectedMicros) {
    double expected = expectedMicros / (double) requestMicros();
    double missing = (expectedMicros - askedMicros) / (double) requestMicros();
    return missing > DEVIATIONS * Math.sqrt(expected);
  }

  private long towards(long rateMicros, long elapsedNanos) {
    long way = MulDiv.down(Math.abs(rateMicros - estimateMicros), elapsedNanos, AVERAGED_NANOS);
    return rateMicros < estimateMicros ? estimateMicros - way : estimateMicros + way;
  }

  /** Whether nothing has been measured yet. */
  boolean isFresh() {
    return fresh;
  }

  /** The last estimate, micro-tokens per second. */
  long micros() {
    return estimateMicros;
  }

  /** Whether a plain fall was seen since this was last asked. */
  boolean fell() {
    boolean seen = fell;
    fell = false;
    return seen;
  }
}
