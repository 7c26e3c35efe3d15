package dev.weir.sim.drill;

import dev.weir.sim.judge.Admitted;
import java.util.List;
import java.util.OptionalLong;

/**
 * When admissions have caught up with a rate: the first of them from which on, for a whole window,
 * they are never further behind the rate than the slack. What a bucket held already says nothing
 * about a lease, so the first tokens can be left out; and since the window must not fall behind at
 * its very start, a drought followed by a grant counts as reached where the drought ends and not
 * before.
 *
 * @param tokensPerSecond the rate to be reached
 * @param windowNanos how long it must be kept
 * @param slackTokens how far behind admissions may be at any instant of the window: what comes in
 *     batches is late by up to a batch. A single admission just before a drought ends is taken for
 *     its end if the rest of the drought fits in the slack
 */
record CatchUp(double tokensPerSecond, long windowNanos, double slackTokens) {
  private static final double MICROS_PER_TOKEN = 1e6;
  private static final double SECOND_NANOS = 1e9;

  /**
   * The time from {@code fromNanos} until the rate is reached; empty where it is not before {@code
   * untilNanos}.
   *
   * @param admitted in the order of time
   * @param freeTokens the first so many tokens from {@code fromNanos} on do not count
   */
  OptionalLong reachedNanos(
      List<Admitted> admitted, long fromNanos, long untilNanos, double freeTokens) {
    double left = freeTokens;
    for (int i = 0; i < admitted.size(); i++) {
      long sinceNanos = admitted.get(i).atNanos() - fromNanos;
      if (sinceNanos < 0) {
        continue;
      }
      if (left > 0) {
        left -= tokens(admitted.get(i));
        continue;
      }
      if (admitted.get(i).atNanos() + windowNanos - untilNanos > 0) {
        return OptionalLong.empty();
      }
      if (isKept(admitted, i)) {
        return OptionalLong.of(sinceNanos);
      }
    }
    return OptionalLong.empty();
  }

  private boolean isKept(List<Admitted> admitted, int first) {
    long startNanos = admitted.get(first).atNanos();
    double sum = 0;
    for (int i = first; i < admitted.size(); i++) {
      long passedNanos = Math.min(windowNanos, admitted.get(i).atNanos() - startNanos);
      if (due(passedNanos) - sum > slackTokens) {
        return false;
      }
      if (passedNanos == windowNanos) {
        return true;
      }
      sum += tokens(admitted.get(i));
    }
    return due(windowNanos) - sum <= slackTokens;
  }

  private double due(long passedNanos) {
    return tokensPerSecond * passedNanos / SECOND_NANOS;
  }

  /** Tokens admitted in {@code [fromNanos, untilNanos)}. */
  static double tokens(List<Admitted> admitted, long fromNanos, long untilNanos) {
    double sum = 0;
    for (Admitted each : admitted) {
      if (each.atNanos() - fromNanos >= 0 && each.atNanos() - untilNanos < 0) {
        sum += tokens(each);
      }
    }
    return sum;
  }

  private static double tokens(Admitted admitted) {
    return admitted.costMicros() / MICROS_PER_TOKEN;
  }
}
