package dev.weir.sim.judge;

/** An audit file that cannot be read as one; without it nothing can be said about the bound. */
public final class AuditException extends Exception {
  private static final long serialVersionUID = 1;

  AuditException(String message) {
    super(message);
  }
}
