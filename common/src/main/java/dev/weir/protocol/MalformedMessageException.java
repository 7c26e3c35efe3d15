package dev.weir.protocol;

/** A part of a message that cannot be; caught in {@link Wire}, never seen outside. */
final class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MalformedMessageException(String why) {
    super(why, null, false, false);
  }
}
