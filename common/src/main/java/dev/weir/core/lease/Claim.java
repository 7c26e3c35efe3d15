package dev.weir.core.lease;

/**
 * One holder's claim in a division.
 *
 * @param holder who
 * @param weight its region's weight, at least 1
 * @param floorRateMicros what its floor gives already
 * @param demandRateMicros what was asked for, capped at the quota's rate
 * @param waitedNanos since when it had no room for a request, where room goes round
 */
record Claim(
    HolderId holder, int weight, long floorRateMicros, long demandRateMicros, long waitedNanos) {
  long wantMicros() {
    return Math.max(0, demandRateMicros - floorRateMicros);
  }
}
