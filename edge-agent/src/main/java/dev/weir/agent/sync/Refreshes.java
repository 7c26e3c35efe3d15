package dev.weir.agent.sync;

import dev.weir.agent.count.Durations;
import dev.weir.agent.count.Tally;

/** What became of requests to the coordinator. Counted by one thread, read by any. */
public final class Refreshes {
  /** What can become of one. */
  public enum Result {
    /** Its answer was applied. */
    OK,
    /** No answer, or one that could not be read or was of another cluster. */
    FAILED,
    /** The answer came after a suspension of the machine: nothing was applied. */
    IGNORED,
    /** The region is not configured. */
    UNKNOWN_REGION,
    /** A newer run of the region has taken over. */
    FENCED
  }

  private final Tally<Result> results = new Tally<>(Result.class);
  private final Durations roundTrips = Durations.ofRoundTrips();

  /** Nothing was sent yet. */
  Refreshes() {}

  void count(Result result) {
    results.count(result);
  }

  void took(long roundTripNanos) {
    roundTrips.accept(roundTripNanos);
  }

  /** How many ended so. */
  public long of(Result result) {
    return results.of(result);
  }

  /** How long those took that were answered, whatever the answer. */
  public Durations roundTrips() {
    return roundTrips;
  }
}
