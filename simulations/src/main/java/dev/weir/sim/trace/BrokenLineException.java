package dev.weir.sim.trace;

/** A line of a log that is not one; the message says why. Common, so without a stack trace. */
final class BrokenLineException extends Exception {
  private static final long serialVersionUID = 1;

  BrokenLineException(String problem) {
    super(problem, null, false, false);
  }
}
