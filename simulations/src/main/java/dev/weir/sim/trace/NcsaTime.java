package dev.weir.sim.trace;

import java.time.DateTimeException;
import java.time.LocalDate;

/** The time of an access log, {@code 01/Aug/1995:00:00:01 -0400}. */
final class NcsaTime {
  private static final String FORM = "dd/Mon/yyyy:hh:mm:ss +hhmm";
  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
  private static final int MONTH_LENGTH = 3;
  private static final long MINUTE_SECONDS = 60;
  private static final long HOUR_SECONDS = 3600;
  private static final long DAY_SECONDS = 86_400;

  private NcsaTime() {}

  static long nanos(String text) throws BrokenLineException {
    // The form of the time, with a letter for each that is not fixed.
    if (text.length() != FORM.length()
        || text.charAt(2) != '/'
        || text.charAt(6) != '/'
        || text.charAt(11) != ':'
        || text.charAt(14) != ':'
        || text.charAt(17) != ':'
        || text.charAt(20) != ' ') {
      throw problem(text);
    }
    int month = MONTHS.indexOf(text.substring(3, 6));
    if (month < 0 || month % MONTH_LENGTH != 0) {
      throw problem(text);
    }
    LocalDate date;
    try {
      date = LocalDate.of(number(text, 7, 11), month / MONTH_LENGTH + 1, number(text, 0, 2));
    } catch (DateTimeException e) {
      throw problem(text);
    }
    int hours = number(text, 12, 14);
    int minutes = number(text, 15, 17);
    // A minute may have a leap second.
    int seconds = number(text, 18, 20);
    char sign = text.charAt(21);
    if (hours > 23 || minutes > 59 || seconds > 60 || (sign != '+' && sign != '-')) {
      throw problem(text);
    }
    long offset = number(text, 22, 24) * HOUR_SECONDS + number(text, 24, 26) * MINUTE_SECONDS;
    long local =
        date.toEpochDay() * DAY_SECONDS + hours * HOUR_SECONDS + minutes * MINUTE_SECONDS + seconds;
    try {
      return Math.multiplyExact(
          sign == '+' ? local - offset : local + offset, TraceTime.SECOND_NANOS);
    } catch (ArithmeticException e) {
      throw problem(text);
    }
  }

  private static int number(String text, int from, int to) throws BrokenLineException {
    int number = 0;
    for (int at = from; at < to; at++) {
      char c = text.charAt(at);
      if (c < '0' || c > '9') {
        throw problem(text);
      }
      number = 10 * number + c - '0';
    }
    return number;
  }

  private static BrokenLineException problem(String text) {
    return new BrokenLineException("the time \"" + text + "\" is not as in " + FORM);
  }
}
