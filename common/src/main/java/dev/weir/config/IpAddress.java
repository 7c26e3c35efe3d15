package dev.weir.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Addresses as text, read without asking any name server. */
public final class IpAddress {
  private static final Pattern V4 =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
  private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");
  private static final int GROUPS = 8;
  private static final int V6_BYTES = 16;
  private static final int MAPPED_PREFIX = 12;

  private IpAddress() {}

  /**
   * Returns the bytes of an address, 4 or 16, or null where the text is none. IPv6 may be shortened
   * and may end in dotted IPv4; an IPv4 address mapped into IPv6 comes out as IPv4; no zone, no
   * brackets, no port.
   */
  public static byte @Nullable [] parse(String text) {
    return text.indexOf(':') < 0 ? v4(text) : unmapped(v6(text));
  }

  private static byte @Nullable [] v4(String text) {
    Matcher form = V4.matcher(text);
    if (!form.matches()) {
      return null;
    }
    byte[] bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      String part = form.group(i + 1);
      int value = Integer.parseInt(part);
      // A leading zero is octal to some readers: two machines would take it for two addresses.
      if (value > 255 || (part.length() > 1 && part.startsWith("0"))) {
        return null;
      }
      bytes[i] = (byte) value;
    }
    return bytes;
  }

  private static byte @Nullable [] v6(String text) {
    String plain = withoutDots(text);
    if (plain == null) {
      return null;
    }
    int gap = plain.indexOf("::");
    if (gap < 0) {
      String[] groups = plain.split(":", -1);
      return groups.length == GROUPS ? bytes(groups, new String[0]) : null;
    }
    String[] front = groups(plain.substring(0, gap));
    String[] back = groups(plain.substring(gap + 2));
    return front.length + back.length < GROUPS ? bytes(front, back) : null;
  }

  /** Writes a dotted end as two groups; null where it is not good. */
  private static @Nullable String withoutDots(String text) {
    if (text.indexOf('.') < 0) {
      return text;
    }
    int last = text.lastIndexOf(':');
    byte[] end = v4(text.substring(last + 1));
    return end == null
        ? null
        : text.substring(0, last + 1)
            + String.format("%02x%02x:%02x%02x", end[0], end[1], end[2], end[3]);
  }

  private static String[] groups(String text) {
    return text.isEmpty() ? new String[0] : text.split(":", -1);
  }

  private static byte @Nullable [] bytes(String[] front, String[] back) {
    byte[] bytes = new byte[V6_BYTES];
    boolean good = write(front, bytes, 0) && write(back, bytes, V6_BYTES - 2 * back.length);
    return good ? bytes : null;
  }

  private static boolean write(String[] groups, byte[] bytes, int from) {
    int at = from;
    for (String group : groups) {
      if (!GROUP.matcher(group).matches()) {
        return false;
      }
      int value = Integer.parseInt(group, 16);
      bytes[at++] = (byte) (value >> 8);
      bytes[at++] = (byte) value;
    }
    return true;
  }

  private static byte @Nullable [] unmapped(byte @Nullable [] address) {
    if (address == null || address[10] != (byte) 0xff || address[11] != (byte) 0xff) {
      return address;
    }
    for (int i = 0; i < 10; i++) {
      if (address[i] != 0) {
        return address;
      }
    }
    byte[] v4 = new byte[4];
    System.arraycopy(address, MAPPED_PREFIX, v4, 0, 4);
    return v4;
  }
}
