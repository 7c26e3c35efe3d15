package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as people read them; what is absent is empty. */
final class Shown {
  private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);
  private static final MathContext THREE_DIGITS = new MathContext(3, RoundingMode.HALF_EVEN);

  private Shown() {}

  /** Returns a number of which the first three digits are enough, or all before the point. */
  static String about(JsonNode number) {
    if (!number.isNumber()) {
      return "";
    }
    BigDecimal value = number.decimalValue();
    return plain(
        value.abs().compareTo(THOUSAND) < 0
            ? value.round(THREE_DIGITS)
            : value.setScale(0, RoundingMode.HALF_EVEN));
  }

  /** Returns a number with every digit it has. */
  static String exactly(JsonNode number) {
    return number.isNumber() ? plain(number.decimalValue()) : number.asText("");
  }

  /** Returns a length of time given in milliseconds. */
  static String millis(JsonNode number) {
    if (!number.isNumber()) {
      return "";
    }
    long millis = Math.max(0, number.asLong());
    if (millis < 1_000) {
      return millis + "ms";
    }
    if (millis < 60_000) {
      return millis / 1_000 + "." + millis % 1_000 / 100 + "s";
    }
    long minutes = millis / 60_000;
    if (minutes < 60) {
      return minutes + "m " + millis / 1_000 % 60 + "s";
    }
    long hours = minutes / 60;
    return hours < 48 ? hours + "h " + minutes % 60 + "m" : hours / 24 + "d " + hours % 24 + "h";
  }

  static String plain(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }
}
