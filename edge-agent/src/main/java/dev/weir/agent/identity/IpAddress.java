package dev.weir.agent.identity;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An IP address as its bits. An IPv4 address written inside IPv6 ({@code ::ffff:192.0.2.1}) is the
 * IPv4 address, so that one client has one address whichever way it came.
 *
 * @param v6 whether it is IPv6; an IPv4 address is the low 32 bits of {@code low}
 * @param high the first 64 bits of an IPv6 address; 0 for IPv4
 * @param low the last 64 bits
 */
public record IpAddress(boolean v6, long high, long low) {
  /** The first 96 bits of an IPv4-mapped address. */
  private static final long MAPPED = 0xffffL;

  public IpAddress {
    if (!v6 && (high != 0 || low >>> 32 != 0)) {
      throw new IllegalArgumentException("an IPv4 address has 32 bits");
    }
    if (v6 && high == 0 && low >>> 32 == MAPPED) {
      v6 = false;
      low &= 0xffff_ffffL;
    }
  }

  /** Returns the address of so many bytes, 4 or 16, as {@code InetAddress.getAddress} has them. */
  public static IpAddress of(byte[] bytes) {
    if (bytes.length != 4 && bytes.length != 16) {
      throw new IllegalArgumentException("an address has 4 or 16 bytes: " + bytes.length);
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < bytes.length; i++) {
      high = (high << 8) | (low >>> 56);
      low = low << 8 | (bytes[i] & 0xff);
    }
    return new IpAddress(bytes.length == 16, high, low);
  }

  /**
   * Returns the address that a text is, or null if it is none: four decimal numbers without leading
   * zeros, or IPv6 as in RFC 4291 section 2.2. A zone ({@code %eth0}) is dropped. Never looks up a
   * name.
   */
  public static @Nullable IpAddress parse(String text) {
    return text.indexOf(':') < 0 ? parseV4(text) : parseV6(text);
  }

  /**
   * Returns the address of a text that may also name a port, or null if it is none: {@code
   * 192.0.2.1:80}, {@code [2001:db8::1]:80}, {@code [2001:db8::1]}, or an address alone.
   */
  public static @Nullable IpAddress parseWithPort(String text) {
    if (text.startsWith("[")) {
      int end = text.indexOf(']');
      boolean ends = end == text.length() - 1;
      boolean port = end > 0 && !ends && isPort(text, end + 1);
      return end > 0 && (ends || port) ? parseV6(text.substring(1, end)) : null;
    }
    int colon = text.indexOf(':');
    if (colon >= 0 && colon == text.lastIndexOf(':')) {
      return isPort(text, colon) ? parseV4(text.substring(0, colon)) : null;
    }
    return parse(text);
  }

  /**
   * Returns the address with all but its first bits zero.
   *
   * @param length in {@code [0, 32]} for IPv4, {@code [0, 128]} for IPv6
   */
  public IpAddress prefix(int length) {
    if (!v6) {
      return new IpAddress(false, 0, low & leading(length + 32) & 0xffff_ffffL);
    }
    return new IpAddress(true, high & leading(Math.min(length, 64)), low & leading(length - 64));
  }

  /** Returns its 4 or 16 bytes. */
  public byte[] bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(v6 ? 16 : 4);
    return v6 ? bytes.putLong(high).putLong(low).array() : bytes.putInt((int) low).array();
  }

  /** Returns how many bits the address has: 32 or 128. */
  public int bits() {
    return v6 ? 128 : 32;
  }

  /** Returns the one canonical text: dotted decimal, or RFC 5952. */
  @Override
  public String toString() {
    return v6 ? textV6() : textV4();
  }

  private static long leading(int bits) {
    return bits <= 0 ? 0 : bits >= 64 ? -1L : -1L << (64 - bits);
  }

  private static @Nullable IpAddress parseV4(String text) {
    long bits = v4Bits(text);
    return bits < 0 ? null : new IpAddress(false, 0, bits);
  }

  /** Returns the 32 bits of dotted decimal, or -1. */
  private static long v4Bits(String text) {
    long bits = 0;
    int parts = 0;
    int at = 0;
    while (true) {
      int value = 0;
      int digits = 0;
      while (at < text.length() && isDigit(text.charAt(at))) {
        value = value * 10 + text.charAt(at++) - '0';
        if (++digits > 3) {
          return -1;
        }
      }
      // A leading zero is read as octal by some, so it is nobody's canonical form.
      if (digits == 0 || value > 255 || (digits > 1 && text.charAt(at - digits) == '0')) {
        return -1;
      }
      bits = bits << 8 | value;
      parts++;
      if (parts == 4) {
        return at == text.length() ? bits : -1;
      }
      if (at == text.length() || text.charAt(at++) != '.') {
        return -1;
      }
    }
  }

  private static @Nullable IpAddress parseV6(String text) {
    int zone = text.indexOf('%');
    if (zone == text.length() - 1) {
      return null;
    }
    String plain = zone < 0 ? text : text.substring(0, zone);
    int gap = plain.indexOf("::");
    if (gap < 0) {
      int[] groups = groups(plain, true);
      return groups == null || groups.length != 8 ? null : ofGroups(groups);
    }
    int[] before = gap == 0 ? new int[0] : groups(plain.substring(0, gap), false);
    String rest = plain.substring(gap + 2);
    int[] after = rest.isEmpty() ? new int[0] : groups(rest, true);
    if (before == null || after == null || before.length + after.length > 7) {
      return null;
    }
    int[] all = new int[8];
    System.arraycopy(before, 0, all, 0, before.length);
    System.arraycopy(after, 0, all, 8 - after.length, after.length);
    return ofGroups(all);
  }

  /** Returns the 16-bit groups of a text without a gap, or null; IPv4 may stand at the very end. */
  private static int @Nullable [] groups(String text, boolean mayEndInV4) {
    String[] parts = text.split(":", -1);
    if (parts.length > 8) {
      return null;
    }
    boolean v4 = mayEndInV4 && parts[parts.length - 1].indexOf('.') >= 0;
    int[] groups = new int[parts.length + (v4 ? 1 : 0)];
    for (int i = 0; i < parts.length; i++) {
      boolean last = i == parts.length - 1;
      if (last && v4) {
        long bits = v4Bits(parts[i]);
        if (bits < 0) {
          return null;
        }
        groups[i] = (int) (bits >>> 16);
        groups[i + 1] = (int) (bits & 0xffff);
      } else {
        groups[i] = group(parts[i]);
        if (groups[i] < 0) {
          return null;
        }
      }
    }
    return groups;
  }

  private static int group(String text) {
    if (text.isEmpty() || text.length() > 4) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int digit = c < 0x80 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        return -1;
      }
      value = value << 4 | digit;
    }
    return value;
  }

  private static IpAddress ofGroups(int[] groups) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < 4; i++) {
      high = high << 16 | groups[i];
      low = low << 16 | groups[i + 4];
    }
    return new IpAddress(true, high, low);
  }

  private static boolean isPort(String text, int colon) {
    int digits = text.length() - colon - 1;
    if (text.charAt(colon) != ':' || digits < 1 || digits > 5) {
      return false;
    }
    for (int i = colon + 1; i < text.length(); i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private String textV4() {
    return (low >>> 24)
        + "."
        + ((low >>> 16) & 255)
        + "."
        + ((low >>> 8) & 255)
        + "."
        + (low & 255);
  }

  private String textV6() {
    int gapStart = -1;
    int gapLength = 1;
    for (int i = 0; i < 8; i++) {
      int zeros = 0;
      while (i + zeros < 8 && groupAt(i + zeros) == 0) {
        zeros++;
      }
      // The first of the longest, and never a single one (RFC 5952, section 4.2).
      if (zeros > gapLength) {
        gapStart = i;
        gapLength = zeros;
      }
      i += zeros;
    }
    StringBuilder text = new StringBuilder(39);
    for (int i = 0; i < 8; i++) {
      if (i == gapStart) {
        text.append("::");
        i += gapLength - 1;
      } else {
        boolean first = text.length() == 0 || text.charAt(text.length() - 1) == ':';
        text.append(first ? "" : ":").append(Integer.toHexString(groupAt(i)));
      }
    }
    return text.toString();
  }

  private int groupAt(int i) {
    return (int) ((i < 4 ? high >>> (48 - 16 * i) : low >>> (112 - 16 * i)) & 0xffff);
  }
}
