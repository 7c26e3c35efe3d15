package dev.weir.sim.trace;

/**
 * Chance by number: what a request's dice show depends on the seed and its own number alone, so
 * that leaving a request out, or using more dice, changes no other's.
 */
final class Dice {
  private static final long STEP = 0x9E37_79B9_7F4A_7C15L;

  private Dice() {}

  /** Returns a number from 0 up to 1, never 1. */
  static double unit(long seed, long number) {
    return (mixed(mixed(seed) + number * STEP) >>> 11) * 0x1p-53;
  }

  /** The finalizer of SplitMix64: a bijection whose every bit depends on all bits. */
  static long mixed(long bits) {
    long z = bits + STEP;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }
}
