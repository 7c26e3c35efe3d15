package dev.weir.core.math;

/** Range checks whose message names the value, its range and what was found. */
public final class Check {
  private Check() {}

  /**
   * Returns {@code value} if it lies in {@code [min, max]}.
   *
   * @param name what the value is, as its reader knows it
   * @throws IllegalArgumentException "level must be in [0, 100]: 107"
   */
  public static long inRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(message(name, value, min, max));
    }
    return value;
  }

  /**
   * Returns {@code value} if it lies in {@code [min, max]}.
   *
   * @param name what the value is, as its reader knows it
   * @throws IllegalArgumentException "weight must be in [1, 100]: 0"
   */
  public static int inRange(String name, int value, int min, int max) {
    return (int) inRange(name, (long) value, min, max);
  }

  /**
   * Returns {@code value} if it is zero or more.
   *
   * @param name what the value is, as its reader knows it
   * @throws IllegalArgumentException "cost must not be negative: -1"
   */
  public static long notNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must not be negative: " + value);
    }
    return value;
  }

  /**
   * Returns {@code value} if it is one or more.
   *
   * @param name what the value is, as its reader knows it
   * @throws IllegalArgumentException "per must be positive: 0"
   */
  public static long positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
    return value;
  }

  private static String message(String name, long value, long min, long max) {
    return name + " must be in [" + min + ", " + max + "]: " + value;
  }
}
