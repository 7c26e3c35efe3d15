package dev.weir.sim.fleet;

/**
 * What happened in a fleet, or in several, in numbers.
 *
 * @param admitted requests that were admitted
 * @param refused requests that were refused
 * @param admittedMicros what was admitted, in micro-tokens
 * @param refusedMicros what was refused, in micro-tokens
 * @param syncMessages requests that agents sent to the coordinator
 * @param simulatedNanos true time that passed
 * @param overshootMicros by how many micro-tokens the worst window was over; 0 where none was
 * @param fingerprint differs between runs that differ anywhere
 */
public record Sums(
    long admitted,
    long refused,
    long admittedMicros,
    long refusedMicros,
    long syncMessages,
    long simulatedNanos,
    long overshootMicros,
    long fingerprint) {
  /** Nothing. */
  public static final Sums NONE = new Sums(0, 0, 0, 0, 0, 0, 0, 0);

  /** These, and then those of another fleet. */
  public Sums then(Sums next) {
    return new Sums(
        admitted + next.admitted,
        refused + next.refused,
        admittedMicros + next.admittedMicros,
        refusedMicros + next.refusedMicros,
        syncMessages + next.syncMessages,
        simulatedNanos + next.simulatedNanos,
        Math.max(overshootMicros, next.overshootMicros),
        fingerprint * 31 + next.fingerprint);
  }
}
