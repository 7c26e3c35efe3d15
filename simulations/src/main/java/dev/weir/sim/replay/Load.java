package dev.weir.sim.replay;

/**
 * Where requests come from. An open loop knows its requests beforehand; a closed one, whose clients
 * wait for an answer before they ask again, makes the next out of what it {@link #heard}. One
 * thread.
 */
public interface Load {
  /** As {@link #nextNanos}: there is none, or none until something is heard. */
  long NEVER = Long.MAX_VALUE;

  /** When the next request is asked, not before the last one; {@link #NEVER} if none is known. */
  long nextNanos();

  /** That request; another is then the next. */
  Request take();

  /** An answer has come back to whoever asked. */
  default void heard(Request request, boolean admitted, long nowNanos) {}
}
