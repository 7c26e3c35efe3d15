package dev.weir.core.bucket;

import dev.weir.core.Clause;
import dev.weir.core.Rules;
import dev.weir.core.math.Check;

/**
 * A change of what one bucket stands on: a lease granted, raised, shrunk or taken back, a floor
 * that moved.
 *
 * @param footing what it stands on from now on
 * @param addMicros micro-tokens that come along, not negative
 * @param highestMicros the highest the level can have been since they were asked for, pending
 *     charges included; what comes along is cut to {@code burst - highestMicros} (S5). Not negative
 */
public record Change(Footing footing, long addMicros, long highestMicros) {
  public Change {
    Check.notNegative("addMicros", addMicros);
    Check.notNegative("highestMicros", highestMicros);
  }

  /** Returns a change that brings no tokens. */
  public static Change to(Footing footing) {
    return new Change(footing, 0, 0);
  }

  /**
   * Returns a change to a floor that was given, or has another size: it brings nothing (S8, S11).
   */
  public static Change toFloor(Footing floor, Rules rules) {
    return rules.on(Clause.S8_EMPTY_AT_BOOT)
        ? to(floor)
        : new Change(floor, floor.share().burstMicros(), 0);
  }

  /** Returns a change that brings tokens, cut to the room there was for them all the while (S5). */
  public static Change bringing(Footing footing, long addMicros, long highestMicros, Rules rules) {
    return new Change(footing, addMicros, rules.on(Clause.S5_ROOM_ON_ARRIVAL) ? highestMicros : 0);
  }

  /** What comes along and is not cut, whatever the level is now. */
  long roomedMicros(long burstMicros) {
    return Math.min(addMicros, Math.max(0, burstMicros - highestMicros));
  }
}
