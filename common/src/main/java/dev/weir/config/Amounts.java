package dev.weir.config;

import dev.weir.core.quota.Tokens;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/** Numbers as people write them: tokens, percentages, whole numbers, small fractions. */
final class Amounts {
  private static final String WHOLE = "(0|[1-9]\\d*(_\\d+)*)";
  private static final Pattern NUMBER = Pattern.compile(WHOLE + "(\\.\\d+)?");
  private static final int PPM_DECIMALS = 6;

  private Amounts() {}

  /** Returns micro-tokens of a number of tokens with at most six decimals. */
  static long tokens(String text) throws BadValue {
    BigDecimal tokens = number(text, "a number of tokens");
    if (tokens.compareTo(BigDecimal.valueOf(Tokens.MAX_TOKENS)) > 0) {
      throw new BadValue("is more than " + Tokens.MAX_TOKENS + " tokens, the most there can be");
    }
    return millionths(tokens);
  }

  /** Returns micro-tokens of at least one token. */
  static long atLeastOneToken(String text) throws BadValue {
    long micros = tokens(text);
    if (micros < Tokens.MICROS_PER_TOKEN) {
      throw new BadValue("must be at least 1");
    }
    return micros;
  }

  /** Returns micro-tokens of more than nothing. */
  static long someTokens(String text) throws BadValue {
    long micros = tokens(text);
    if (micros == 0) {
      throw new BadValue("must be more than 0");
    }
    return micros;
  }

  /** Returns a parser of percentages, as parts per million. */
  static ValueParser<Integer> percent(int maxPpm) {
    return text -> {
      if (!text.endsWith("%")) {
        boolean number = NUMBER.matcher(text).matches();
        throw new BadValue("is not a percentage, as in 10%", number ? text + "%" : null);
      }
      String digits = text.substring(0, text.length() - 1).stripTrailing();
      BigDecimal percent = number(digits, "a percentage, as in 10%");
      if (percent.movePointRight(4).compareTo(BigDecimal.valueOf(maxPpm)) > 0) {
        throw new BadValue("must be between 0% and " + percentText(maxPpm));
      }
      return (int) millionths(percent.movePointLeft(2));
    };
  }

  /** Returns parts per million as a percentage. */
  static String percentText(int ppm) {
    return BigDecimal.valueOf(ppm, 4).stripTrailingZeros().toPlainString() + "%";
  }

  /** Returns a parser of fractions of one, as parts per million. */
  static ValueParser<Integer> fraction(int maxPpm) {
    return text -> {
      BigDecimal fraction = number(text, "a number, as in 0.0005");
      BigDecimal max = BigDecimal.valueOf(maxPpm, PPM_DECIMALS);
      if (fraction.compareTo(max) > 0) {
        throw new BadValue("must be between 0 and " + max.stripTrailingZeros().toPlainString());
      }
      return (int) millionths(fraction);
    };
  }

  /** Returns a parser of whole numbers. */
  static ValueParser<Integer> whole(int min, int max) {
    return text -> {
      if (!Pattern.matches("-?" + WHOLE, text)) {
        throw new BadValue("is not a whole number");
      }
      BigDecimal number = new BigDecimal(text.replace("_", ""));
      if (number.compareTo(BigDecimal.valueOf(min)) < 0
          || number.compareTo(BigDecimal.valueOf(max)) > 0) {
        throw new BadValue("must be between " + min + " and " + max);
      }
      return number.intValueExact();
    };
  }

  private static BigDecimal number(String text, String what) throws BadValue {
    if (NUMBER.matcher(text).matches()) {
      return new BigDecimal(text.replace("_", ""));
    }
    if (text.startsWith("-") && NUMBER.matcher(text.substring(1)).matches()) {
      throw new BadValue("must not be negative");
    }
    throw new BadValue("is not " + what);
  }

  private static long millionths(BigDecimal number) throws BadValue {
    BigDecimal millionths = number.movePointRight(PPM_DECIMALS).stripTrailingZeros();
    if (millionths.scale() > 0) {
      throw new BadValue("has more decimals than can be kept: a millionth is the least");
    }
    return millionths.longValueExact();
  }
}
