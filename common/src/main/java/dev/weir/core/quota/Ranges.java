package dev.weir.core.quota;

/** Range checks of this package, whose message names the value and its range. */
final class Ranges {
  private Ranges() {}

  static long inRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(name + " must be in [" + min + ", " + max + "]: " + value);
    }
    return value;
  }
}
