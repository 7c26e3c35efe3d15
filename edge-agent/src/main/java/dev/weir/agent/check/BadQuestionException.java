package dev.weir.agent.check;

import dev.weir.agent.count.Fault;

/** A question that cannot be answered; the message says what is wrong, to whoever asked. */
final class BadQuestionException extends Exception {
  private final transient Fault fault;

  BadQuestionException(String message) {
    this(Fault.BAD_QUESTION, message);
  }

  BadQuestionException(Fault fault, String message) {
    super(message, null, false, false);
    this.fault = fault;
  }

  /** What it counts as. */
  Fault fault() {
    return fault;
  }
}
