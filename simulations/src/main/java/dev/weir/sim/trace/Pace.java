package dev.weir.sim.trace;

/**
 * How a trace is played: how much faster than it was recorded, and how many requests each of its
 * requests stands for.
 *
 * @param speed trace time per real time, above 0
 * @param scale requests made per request recorded, above 0; the fractions add up over the trace
 */
public record Pace(double speed, double scale) {
  /** Checks that both are positive and finite. */
  public Pace {
    if (!(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("speed must be a number above 0: " + speed);
    }
    if (!(scale > 0 && scale < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("scale must be a number above 0: " + scale);
    }
  }

  /**
   * The pace at which the busiest minute of {@code trace} asks for {@code timesQuota} times what a
   * quota refills.
   *
   * @param tokensPerSecond the quota's rate
   */
  public static Pace contending(
      Trace trace, double speed, double tokensPerSecond, double timesQuota) {
    double busiestPerSecond = trace.busiestMinuteTokens() / 60.0 * speed;
    return new Pace(speed, tokensPerSecond * timesQuota / busiestPerSecond);
  }

  /** Trace time as replay time, both in nanoseconds. */
  public long replayNanos(long traceNanos) {
    return (long) (traceNanos / speed);
  }

  /** Replay time as trace time, both in nanoseconds. */
  public long traceNanos(long replayNanos) {
    return (long) (replayNanos * speed);
  }
}
