package dev.weir.core.bound;

import dev.weir.core.quota.Rate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Numbers as an operator reads them, and the one rounding that notes and terms share. */
final class Figures {
  private static final long SECOND_NANOS = 1_000_000_000;

  private Figures() {}

  static String tokens(long micros) {
    return plain(BigDecimal.valueOf(micros, 6));
  }

  static String perSecond(Rate rate) {
    BigDecimal micros =
        BigDecimal.valueOf(rate.micros()).multiply(BigDecimal.valueOf(SECOND_NANOS));
    return plain(
        micros
            .divide(BigDecimal.valueOf(rate.perNanos()), 6, RoundingMode.HALF_UP)
            .movePointLeft(6)
            .setScale(6, RoundingMode.HALF_UP));
  }

  static String duration(long nanos) {
    if (nanos >= 3600 * SECOND_NANOS && nanos % (3600 * SECOND_NANOS) == 0) {
      return nanos / (3600 * SECOND_NANOS) + " h";
    }
    if (nanos >= SECOND_NANOS) {
      return plain(BigDecimal.valueOf(nanos, 9)) + " s";
    }
    return plain(BigDecimal.valueOf(nanos, 6)) + " ms";
  }

  /**
   * What {@code rate} mints in {@code nanos}, rounded up and saturated: a bound never rounds down.
   */
  static long mintedAtMost(Rate rate, long nanos) {
    BigInteger per = BigInteger.valueOf(rate.perNanos());
    BigInteger minted =
        BigInteger.valueOf(rate.micros())
            .multiply(BigInteger.valueOf(nanos))
            .add(per.subtract(BigInteger.ONE))
            .divide(per);
    return minted.bitLength() < Long.SIZE ? minted.longValue() : Long.MAX_VALUE;
  }

  private static String plain(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }
}
