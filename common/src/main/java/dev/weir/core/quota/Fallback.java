package dev.weir.core.quota;

import dev.weir.core.math.Check;

/** What a quota does when what it decides with is missing. */
public sealed interface Fallback {
  /** Goes on at the region's floor. */
  Fallback FLOOR = new Floor();

  /** Refuses. */
  Fallback DENY = new Deny();

  /** Admits, without a bound. */
  Fallback ALLOW = new Allow();

  /** Goes on at the region's floor. */
  record Floor() implements Fallback {}

  /** Refuses. */
  record Deny() implements Fallback {}

  /** Admits, without a bound. */
  record Allow() implements Fallback {}

  /**
   * Goes on with a small bucket of its own, on top of everything else.
   *
   * @param rate at most {@link QuotaSpec#MAX_TOKENS_PER_SECOND}
   * @param burstMicros in {@code [1 token, Tokens.MAX_MICROS]}
   */
  record Budget(Rate rate, long burstMicros) implements Fallback {
    public Budget {
      QuotaSpec.checkRate(rate);
      Check.inRange("burstMicros", burstMicros, Tokens.MICROS_PER_TOKEN, Tokens.MAX_MICROS);
    }
  }
}
