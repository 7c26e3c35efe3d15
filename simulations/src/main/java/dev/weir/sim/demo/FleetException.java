package dev.weir.sim.demo;

/** A process that did not start; the message is for the user. */
public final class FleetException extends Exception {
  private static final long serialVersionUID = 1;

  /** A failure with its reason. */
  public FleetException(String message) {
    super(message);
  }
}
