package dev.weir.agent.check;

/** A question that cannot be understood; the message says what is wrong, to whoever asked. */
final class BadQuestionException extends Exception {
  BadQuestionException(String message) {
    super(message, null, false, false);
  }
}
