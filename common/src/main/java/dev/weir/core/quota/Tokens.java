package dev.weir.core.quota;

import dev.weir.core.math.Check;
import java.math.BigDecimal;

/**
 * Amounts of tokens, held everywhere as whole micro-tokens (a millionth of a token).
 *
 * <p>Ranges: an amount is in {@code [0, MAX_MICROS]}, so that two amounts can be added and one can
 * be doubled without leaving a {@code long}.
 */
public final class Tokens {
  /** Micro-tokens in one token. */
  public static final long MICROS_PER_TOKEN = 1_000_000L;

  /** Most tokens a limit or a burst may name: 10^12. */
  public static final long MAX_TOKENS = 1_000_000_000_000L;

  /** {@link #MAX_TOKENS} in micro-tokens: 10^18. */
  public static final long MAX_MICROS = MAX_TOKENS * MICROS_PER_TOKEN;

  private Tokens() {}

  /**
   * Returns whole tokens as micro-tokens.
   *
   * @param tokens in {@code [0, MAX_TOKENS]}
   * @throws IllegalArgumentException if out of range
   */
  public static long micros(long tokens) {
    return Check.inRange("tokens", tokens, 0, MAX_TOKENS) * MICROS_PER_TOKEN;
  }

  /** Returns an amount as people write it: {@code 25}, {@code 0.1}; at most six decimals. */
  public static String text(long micros) {
    if (micros % MICROS_PER_TOKEN == 0) {
      return Long.toString(micros / MICROS_PER_TOKEN);
    }
    return BigDecimal.valueOf(micros, 6).stripTrailingZeros().toPlainString();
  }
}
