package dev.weir.agent.sync;

import dev.weir.core.message.SyncAnswer;

/** What became of a request. */
sealed interface Reply {
  /** An answer came. */
  record Answered(SyncAnswer answer) implements Reply {}

  /**
   * None came, or not one that can be read.
   *
   * @param why for the log
   */
  record Failed(String why) implements Reply {}

  /**
   * A coordinator is there and does not answer this agent.
   *
   * @param why for the log
   */
  record Refused(String why) implements Reply {}
}
