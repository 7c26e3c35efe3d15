package dev.weir.coordinator.ctl;

/** What ends a command: a message for the user that says what to do, and an exit code. */
final class CtlException extends Exception {
  /** A check failed, or the coordinator refused. */
  static final int REFUSED = 1;

  /** The command line is wrong. */
  static final int WRONG_USAGE = 2;

  /** No coordinator was reached. */
  static final int NOT_REACHED = 3;

  private static final long serialVersionUID = 1;

  private final int exitCode;

  private CtlException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  static CtlException refused(String message) {
    return new CtlException(REFUSED, message);
  }

  static CtlException wrongUsage(String message) {
    return new CtlException(WRONG_USAGE, message);
  }

  static CtlException notReached(String message) {
    return new CtlException(NOT_REACHED, message);
  }

  /** The same failure, with what was done before it. */
  CtlException after(String done) {
    return new CtlException(exitCode, getMessage() + " (" + done + ")");
  }

  int exitCode() {
    return exitCode;
  }
}
