package dev.weir.config;

/** Offending text, as a message shows it: on one line, and not all of it. */
final class Quote {
  private static final int LENGTH_MAX = 60;

  private Quote() {}

  static String shortened(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(LENGTH_MAX)
        .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '\ufffd' : c));
    if (text.codePointCount(0, text.length()) > LENGTH_MAX) {
      shown.append("...");
    }
    return shown.toString();
  }
}
