package dev.weir.sim.replay;

/** Where a {@link Limiter} says what it decided. */
public interface Verdicts {
  /**
   * A request is decided now: if it is admitted, its tokens are taken at this instant of virtual
   * time, and windows are judged by it. Said exactly once per request; all buckets of its subject
   * or none (S12).
   *
   * @param heardAfterNanos how much later whoever asked hears it: 0 for a decision on the spot, the
   *     way back for one that was made elsewhere. Where the answer gets lost on that way, say that
   *     it was refused (whatever the store has counted), after the time-out
   */
  void decided(Request request, boolean admitted, long heardAfterNanos);
}
