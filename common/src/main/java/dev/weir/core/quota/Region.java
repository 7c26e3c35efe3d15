package dev.weir.core.quota;

import dev.weir.core.math.Check;

/**
 * A place with agents of its own.
 *
 * @param name see {@link Names#isName}
 * @param weight its part of floors and of contended rate, in {@code [1, WEIGHT_MAX]}
 */
public record Region(String name, int weight) {
  /** Largest weight: a million. */
  public static final int WEIGHT_MAX = 1_000_000;

  public Region {
    Names.requireName("region", name);
    Check.inRange("weight", weight, 1, WEIGHT_MAX);
  }
}
