package dev.weir.sim.replay;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What came of a replay under one way of limiting: all that tables, JSON, CSV and pages show. It
 * holds nothing that plan and seed do not decide, but for {@link #realNanos}.
 *
 * @param name of what was replayed
 * @param strategy {@link Strategy#name}
 * @param lengthNanos how long requests were asked
 * @param slotNanos length of a slot of every series
 * @param total of all regions
 * @param regions by name
 * @param quotas by name
 * @param quietFloorMicros what floors made that their regions did not use while the oracle refused
 *     something, counted slot by slot and bucket by bucket as {@code demo} does
 * @param jain fairness among regions of equal weight that want more: {@code (Σx)²/(n·Σx²)} of what
 *     they were admitted, 1 at best; the mean over all slots and buckets in which at least two
 *     regions of the same weight were refused a tenth of what they asked for and asked for more
 *     than their even part; 1 where there was no such slot
 * @param messages between agents and whatever is central, and among agents
 * @param poolPerSecond of the watched bucket, what was nobody's, in tokens per second
 * @param level how near the worst window ending in the slot came to its bound, over all buckets:
 *     what it admitted beyond {@code R(1+ρ)t}, as a part of {@code B}; 1 is at the bound, more is
 *     over it
 * @param watched the bucket that was asked for most, whose rate is shown; empty if none was
 * @param events what happened, in order
 * @param realNanos how long it took; on another machine it is another number
 */
public record ReplayResult(
    String name,
    String strategy,
    long seed,
    long lengthNanos,
    long slotNanos,
    Counts total,
    List<RegionResult> regions,
    List<QuotaResult> quotas,
    long quietFloorMicros,
    double jain,
    Latency latency,
    long messages,
    Series poolPerSecond,
    Series level,
    String watched,
    List<Event> events,
    List<ShiftResult> shifts,
    long realNanos) {
  /** Keeps its own copies. */
  public ReplayResult {
    regions = List.copyOf(regions);
    quotas = List.copyOf(quotas);
    events = List.copyOf(events);
    shifts = List.copyOf(shifts);
  }

  /**
   * One region.
   *
   * @param asked tokens per slot, by when they were asked for
   * @param admitted tokens per slot, by when they were taken
   * @param oracle tokens per slot that the oracle admitted here
   * @param heldPerSecond of the watched bucket, what the region may admit, in tokens per second
   */
  public record RegionResult(
      String name,
      int weight,
      Counts counts,
      Series asked,
      Series admitted,
      Series oracle,
      Series heldPerSecond) {}

  /**
   * One quota.
   *
   * @param buckets how many of its buckets were asked for
   * @param admittedMicros of all of them
   * @param boundMicros what all of them may admit in the length of the replay
   * @param overshootMicros by how much the worst window of any of them was over its bound; 0 where
   *     none was
   * @param worstAtNanos when that window ended
   * @param level as {@link ReplayResult#level}, of the worst window there was
   */
  public record QuotaResult(
      String name,
      int buckets,
      long admittedMicros,
      long boundMicros,
      long overshootMicros,
      long worstAtNanos,
      double level) {}

  /**
   * How long whoever asked waited for the answer, beyond what the way to the agent takes.
   *
   * @param meanNanos over all requests
   * @param p50Nanos rounded up to the next of 4 steps per doubling
   */
  public record Latency(
      double meanNanos, long p50Nanos, long p99Nanos, long p999Nanos, long maxNanos) {}

  /** Something that happened beside the traffic. */
  public record Event(long atNanos, String text) {}

  /**
   * How a shift of load went.
   *
   * @param from where it left, empty if it was new
   * @param convergenceNanos see {@link Convergence}; absent where it did not
   */
  public record ShiftResult(
      long atNanos, String from, String to, OptionalDouble convergenceNanos) {}

  /** The largest overshoot of any quota, in micro-tokens; 0 where every window held. */
  public long overshootMicros() {
    return quotas.stream().mapToLong(QuotaResult::overshootMicros).max().orElse(0);
  }

  /** Whether no window of any bucket admitted more than its bound. */
  public boolean boundHeld() {
    return overshootMicros() == 0;
  }

  /** Bound of the quota that admitted most, in micro-tokens. */
  public long boundMicros() {
    return quotas.stream()
        .max((one, other) -> Long.compare(one.admittedMicros(), other.admittedMicros()))
        .map(QuotaResult::boundMicros)
        .orElse(0L);
  }

  /** Admitted as a part of what the oracle admitted less the floors of quiet regions. */
  public double utilisationLessQuietFloors() {
    double reachable = (double) total.oracleAdmittedMicros() - quietFloorMicros;
    return reachable <= 0 ? 1 : total.admittedMicros() / reachable;
  }

  /** The slowest shift; absent without shifts, and where one has not converged. */
  public OptionalDouble convergenceNanos() {
    if (shifts.stream().anyMatch(shift -> shift.convergenceNanos().isEmpty())) {
      return OptionalDouble.empty();
    }
    return shifts.stream().mapToDouble(shift -> shift.convergenceNanos().getAsDouble()).max();
  }

  /** Decisions per second of real time. */
  public double decisionsPerSecond() {
    return (total.asked() - total.unserved()) / (Math.max(1, realNanos) / 1e9);
  }
}
