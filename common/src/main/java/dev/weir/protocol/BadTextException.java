package dev.weir.protocol;

/** Text from outside that cannot be; the message says what is wrong, to whoever sent it. */
public final class BadTextException extends Exception {
  private static final long serialVersionUID = 1;

  BadTextException(String message) {
    super(message, null, false, false);
  }
}
