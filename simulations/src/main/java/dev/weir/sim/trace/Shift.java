package dev.weir.sim.trace;

import dev.weir.config.Durations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Traffic that moves: from {@code at} on, a share of one region's requests is asked in another. The
 * share rises evenly over {@code over}, stays, and falls as slowly from {@code back} on. Times are
 * those of the replay, since its start, whatever its speed.
 *
 * @param atNanos when it begins
 * @param from the region that is left
 * @param to the region that is asked instead; the trace need not know it
 * @param overNanos how long the share takes to rise; 0 is at once
 * @param share of the requests of {@code from}, above 0 and at most 1
 * @param backNanos when it begins to fall again, {@link #NEVER} if it does not
 */
public record Shift(
    long atNanos, String from, String to, long overNanos, double share, long backNanos) {
  /** As {@code backNanos}: the traffic stays where it went. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final List<String> NAMES = List.of("at", "from", "to", "over", "share", "back");
  private static final String FORM =
      "write it as in \"at=10m,from=us-east,to=eu-west,over=60s,share=0.7\", and back=30m if it is"
          + " to return";

  /** Checks the ranges. */
  public Shift {
    if (atNanos < 0 || overNanos < 0) {
      throw new IllegalArgumentException("at and over must not be negative");
    }
    if (from.isBlank() || to.isBlank() || from.equals(to)) {
      throw new IllegalArgumentException(
          "from and to must be two regions: \"" + from + "\", \"" + to + "\"");
    }
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share must be above 0 and at most 1: " + share);
    }
    if (backNanos != NEVER && backNanos - atNanos < overNanos) {
      throw new IllegalArgumentException("back must not be before at + over, when all has moved");
    }
  }

  /**
   * Reads {@code at=10m,from=us-east,to=eu-west,over=60s,share=0.7,back=30m}: {@code over} is 0s,
   * {@code share} 1 and {@code back} never where they are left out.
   *
   * @throws IllegalArgumentException if it is none; the message says how one is written
   */
  public static Shift parse(String text) {
    try {
      Map<String, String> values = values(text);
      String over = values.get("over");
      String back = values.get("back");
      return new Shift(
          nanos("at", required(values, "at")),
          required(values, "from"),
          required(values, "to"),
          over == null ? 0 : nanos("over", over),
          share(values.get("share")),
          back == null ? NEVER : nanos("back", back));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the shift \"" + text + "\" cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * The share that is away at an instant.
   *
   * @param nowNanos since the replay began
   */
  double shareAt(long nowNanos) {
    double moved = risen(nowNanos, atNanos);
    return share * (nowNanos < backNanos ? moved : moved - risen(nowNanos, backNanos));
  }

  private double risen(long nowNanos, long sinceNanos) {
    long passedNanos = nowNanos - sinceNanos;
    if (passedNanos < 0) {
      return 0;
    }
    return passedNanos >= overNanos ? 1 : (double) passedNanos / overNanos;
  }

  private static Map<String, String> values(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      String name = (equals < 0 ? part : part.substring(0, equals)).strip();
      if (equals < 0 || !NAMES.contains(name)) {
        throw new IllegalArgumentException(
            "\"" + part.strip() + "\" is none of at=, from=, to=, over=, share=, back=; " + FORM);
      }
      if (values.put(name, part.substring(equals + 1).strip()) != null) {
        throw new IllegalArgumentException(name + " is given twice");
      }
    }
    return values;
  }

  private static String required(Map<String, String> values, String name) {
    String value = values.get(name);
    if (value == null || value.isEmpty()) {
      throw new IllegalArgumentException(name + "= is missing; " + FORM);
    }
    return value;
  }

  private static long nanos(String name, String text) {
    try {
      return Durations.nanos(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + " " + e.getMessage(), e);
    }
  }

  private static double share(@Nullable String text) {
    if (text == null) {
      return 1;
    }
    boolean percent = text.endsWith("%");
    try {
      double number = Double.parseDouble(percent ? text.substring(0, text.length() - 1) : text);
      return percent ? number / 100 : number;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "share \"" + text + "\" is not a number, as in 0.7 or 70%", e);
    }
  }
}
