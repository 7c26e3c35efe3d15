package dev.weir.config;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A block of addresses, {@code 10.0.0.0/8}, {@code 2001:db8::/32} or one address. Immutable; two
 * blocks are equal if they hold the same addresses.
 */
public final class Cidr {
  private final byte[] network;
  private final int bits;
  private final String text;

  private Cidr(byte[] network, int bits, String text) {
    this.network = network;
    this.bits = bits;
    this.text = text;
  }

  /**
   * Returns the block.
   *
   * @throws IllegalArgumentException if the text is none, or has bits beyond its prefix
   */
  public static Cidr of(String text) {
    try {
      return parse(text);
    } catch (BadValue bad) {
      throw new IllegalArgumentException("\"" + text + "\" " + bad.reason(), bad);
    }
  }

  static Cidr parse(String text) throws BadValue {
    int slash = text.indexOf('/');
    byte[] address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
    if (address == null) {
      throw new BadValue("is not a block of addresses, as in 10.0.0.0/8 or 2001:db8::/32");
    }
    int most = 8 * address.length;
    int bits = slash < 0 ? most : Amounts.whole(0, most).parse(text.substring(slash + 1));
    for (int bit = bits; bit < most; bit++) {
      if ((address[bit / 8] & (0x80 >> (bit % 8))) != 0) {
        throw new BadValue("has bits set beyond its prefix of " + bits);
      }
    }
    return new Cidr(address, bits, text);
  }

  /** Tells whether an address, 4 or 16 bytes, is in the block. */
  public boolean contains(byte[] address) {
    if (address.length != network.length) {
      return false;
    }
    int whole = bits / 8;
    int rest = bits % 8;
    return Arrays.equals(address, 0, whole, network, 0, whole)
        && (rest == 0 || ((address[whole] ^ network[whole]) & (0xff00 >> rest) & 0xff) == 0);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Cidr that && bits == that.bits && Arrays.equals(network, that.network);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(network) + bits;
  }

  /** Returns the text it was read from. */
  @Override
  public String toString() {
    return text;
  }
}
