package dev.weir.core.lease;

import dev.weir.core.math.Check;

/**
 * What is known of data that was lost (S9). What was granted before hangs over every bucket and
 * floor that nothing is known of since, and ends with time: coordinators count how long they have
 * run since, which no clock on a wall can falsify.
 *
 * @param ttlNanos the longest a lease of lost data can last, counted from when the data was lost
 * @param ranNanos how long coordinators have run on the data begun since, before this one; never
 *     more than it was
 */
public record Loss(long ttlNanos, long ranNanos) {
  /** Nothing was lost. */
  public static final Loss NONE = new Loss(0, 0);

  public Loss {
    Check.notNegative("ttlNanos", ttlNanos);
    Check.notNegative("ranNanos", ranNanos);
  }
}
