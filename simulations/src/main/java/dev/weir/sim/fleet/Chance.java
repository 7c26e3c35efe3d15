package dev.weir.sim.fleet;

import java.util.Random;

/** Dice of which one seed decides all throws. */
public final class Chance {
  private Chance() {}

  /**
   * The dice of a seed. Neighbouring seeds of {@link Random} begin alike, so the seed is mixed
   * first (the finalizer of MurmurHash3, a bijection).
   */
  public static Random of(long seed) {
    return new Random(mixed(seed));
  }

  /** Further dice of the same seed, each with a number: what one throws changes no other. */
  public static Random of(long seed, long number) {
    return of(mixed(seed) + number);
  }

  private static long mixed(long seed) {
    long z = seed + 0x9E37_79B9_7F4A_7C15L;
    z = (z ^ z >>> 33) * 0xFF51_AFD7_ED55_8CCDL;
    z = (z ^ z >>> 33) * 0xC4CE_B9FE_1A85_EC53L;
    return z ^ z >>> 33;
  }
}
