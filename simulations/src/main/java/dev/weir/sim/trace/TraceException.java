package dev.weir.sim.trace;

/** A trace that cannot be read; the message names the file, the line and what is wrong there. */
public final class TraceException extends Exception {
  private static final long serialVersionUID = 1;

  /** A problem of one line, counted from 1. */
  public TraceException(String file, long line, String problem) {
    super(file + ":" + line + ": " + problem);
  }

  /** A problem of the file as a whole. */
  public TraceException(String file, String problem) {
    super(file + ": " + problem);
  }
}
