package dev.weir.core.quota;

/**
 * Canonical text of descriptors: {@code key=value,key=value}, keys ascending, with {@code % = , &}
 * and control characters written as the {@code %XX} of their UTF-8 bytes. Different descriptors
 * have different texts, and each has exactly one.
 */
public final class BucketKey {
  private static final String HEX = "0123456789ABCDEF";

  private BucketKey() {}

  /** Returns the canonical text; empty for no descriptors. */
  public static String encode(Descriptors descriptors) {
    if (descriptors.size() == 1) {
      return prefix(descriptors.key(0)).concat(escape(descriptors.value(0)));
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < descriptors.size(); i++) {
      if (i > 0) {
        text.append(',');
      }
      append(text, descriptors.key(i)).append('=');
      append(text, descriptors.value(i));
    }
    return text.toString();
  }

  /**
   * Returns the descriptors of a canonical text.
   *
   * @throws IllegalArgumentException if {@link #encode} would not have written it like this
   */
  public static Descriptors decode(String text) {
    Descriptors descriptors = text.isEmpty() ? Descriptors.NONE : parse(text);
    if (!encode(descriptors).equals(text)) {
      throw malformed(text);
    }
    return descriptors;
  }

  /** Returns {@code key=}, escaped. */
  static String prefix(String key) {
    return escape(key).concat("=");
  }

  /** Returns the text itself where nothing needs escaping, as in nearly every request. */
  static String escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isSpecial(text.charAt(i))) {
        return append(new StringBuilder(text.length() + 8), text).toString();
      }
    }
    return text;
  }

  static StringBuilder append(StringBuilder to, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isSpecial(c)) {
        to.append(c);
      } else if (c < 0x80) {
        appendByte(to, c);
      } else {
        // The controls from 0x80 to 0x9f are two bytes of UTF-8.
        appendByte(to, 0xc0 | (c >> 6));
        appendByte(to, 0x80 | (c & 0x3f));
      }
    }
    return to;
  }

  private static boolean isSpecial(char c) {
    return c == '%' || c == '=' || c == ',' || c == '&' || c < 0x20 || (c >= 0x7f && c < 0xa0);
  }

  private static void appendByte(StringBuilder to, int value) {
    to.append('%').append(HEX.charAt((value >> 4) & 15)).append(HEX.charAt(value & 15));
  }

  private static Descriptors parse(String text) {
    String[] parts = text.split(",", -1);
    if (parts.length > Descriptors.PAIRS_MAX) {
      throw malformed(text);
    }
    String[] pairs = new String[2 * parts.length];
    for (int i = 0; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 0) {
        throw malformed(text);
      }
      pairs[2 * i] = unescape(parts[i].substring(0, equals));
      pairs[2 * i + 1] = unescape(parts[i].substring(equals + 1));
    }
    return Descriptors.of(pairs);
  }

  /**
   * Only what {@link #append} writes comes out right; anything else is caught by encoding again.
   */
  private static String unescape(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '%') {
        plain.append(c);
        continue;
      }
      int first = byteAt(text, i);
      i += 2;
      if (first == 0xc2) {
        plain.append((char) byteAt(text, i + 1));
        i += 3;
      } else {
        plain.append((char) first);
      }
    }
    return plain.toString();
  }

  private static int byteAt(String text, int at) {
    if (at + 3 > text.length() || text.charAt(at) != '%') {
      throw malformed(text);
    }
    int high = HEX.indexOf(text.charAt(at + 1));
    int low = HEX.indexOf(text.charAt(at + 2));
    if (high < 0 || low < 0) {
      throw malformed(text);
    }
    return high << 4 | low;
  }

  private static IllegalArgumentException malformed(String text) {
    String shown = text.length() <= 80 ? text : text.substring(0, 80) + "...";
    return new IllegalArgumentException("not a bucket key: \"" + shown + "\"");
  }
}
