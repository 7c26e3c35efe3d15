package dev.weir.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text as it stands in paths, queries and headers, where a char is a byte. */
public final class UrlText {
  private UrlText() {}

  /**
   * Returns a part of a query, decoded as forms are: {@code +} is a space, {@code %XX} a byte of
   * UTF-8, and so is a char above 127.
   *
   * @param what the part's name, for the message
   * @throws BadTextException if a {@code %} stands for no byte, or the bytes are not UTF-8
   */
  public static String decode(String query, int from, int to, String what) throws BadTextException {
    for (int i = from; i < to; i++) {
      char c = query.charAt(i);
      if (c == '%' || c == '+' || c >= 0x80) {
        return decodeBytes(query, from, to, what);
      }
    }
    return query.substring(from, to);
  }

  /**
   * Returns a header's value, its bytes read as UTF-8.
   *
   * @throws BadTextException if they are not UTF-8
   */
  public static String header(String value, String what) throws BadTextException {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) >= 0x80) {
        return utf8(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1)), what);
      }
    }
    return value;
  }

  /**
   * Checks an address as it stands in a request's first line.
   *
   * @throws BadTextException if its path or its query cannot be decoded
   */
  public static void check(String uri) throws BadTextException {
    int mark = uri.indexOf('?');
    int end = mark < 0 ? uri.length() : mark;
    String unusedPath = decode(uri, 0, end, "the path");
    String unusedQuery = decode(uri, end, uri.length(), "the query");
  }

  private static String decodeBytes(String query, int from, int to, String what)
      throws BadTextException {
    ByteBuffer bytes = ByteBuffer.allocate(to - from);
    for (int i = from; i < to; i++) {
      char c = query.charAt(i);
      if (c == '%') {
        int high = i + 2 < to ? hex(query.charAt(i + 1)) : -1;
        int low = i + 2 < to ? hex(query.charAt(i + 2)) : -1;
        if (high < 0 || low < 0) {
          throw new BadTextException(what + " has a % that two hexadecimal digits must follow");
        }
        bytes.put((byte) (high << 4 | low));
        i += 2;
      } else {
        bytes.put((byte) (c == '+' ? ' ' : c));
      }
    }
    return utf8(bytes.flip(), what);
  }

  private static String utf8(ByteBuffer bytes, String what) throws BadTextException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new BadTextException(what + " is not UTF-8");
    }
  }

  private static int hex(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }
}
