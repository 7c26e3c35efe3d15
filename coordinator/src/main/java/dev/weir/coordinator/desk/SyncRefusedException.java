package dev.weir.coordinator.desk;

/** A sync that gets no answer of the protocol. */
public final class SyncRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** Why. */
  public enum Reason {
    /** The agent belongs to another cluster. */
    OTHER_CLUSTER,
    /** What the answer would say cannot be made durable. */
    NOT_DURABLE
  }

  SyncRefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }
}
