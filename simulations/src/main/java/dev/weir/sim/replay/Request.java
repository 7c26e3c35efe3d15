package dev.weir.sim.replay;

/**
 * One request. It is an object with an identity: who was asked answers about this very one, once.
 */
public final class Request {
  private final long atNanos;
  private final String region;
  private final Subject subject;
  private final long costMicros;

  // What the replay knows of it while it is out.
  boolean oracleAdmits;
  boolean isDecided;

  /**
   * A request.
   *
   * @param atNanos true time since the replay began
   * @param region where it is asked
   * @param costMicros what it asks for of every bucket, in micro-tokens, above 0
   */
  public Request(long atNanos, String region, Subject subject, long costMicros) {
    if (atNanos < 0 || costMicros <= 0) {
      throw new IllegalArgumentException(
          "a request is at 0 or later and costs something: " + atNanos + ", " + costMicros);
    }
    this.atNanos = atNanos;
    this.region = region;
    this.subject = subject;
    this.costMicros = costMicros;
  }

  /** When it is asked, in true time since the replay began. */
  public long atNanos() {
    return atNanos;
  }

  /** Where it is asked. */
  public String region() {
    return region;
  }

  /** What it is about. */
  public Subject subject() {
    return subject;
  }

  /** What it asks for of every bucket of its subject, in micro-tokens. */
  public long costMicros() {
    return costMicros;
  }
}
