package dev.weir.agent.identity;

/**
 * All addresses that begin alike.
 *
 * @param base the first of them
 * @param length how many bits they have in common
 */
public record Network(IpAddress base, int length) {
  public Network {
    if (length < 0 || length > base.bits()) {
      throw new IllegalArgumentException(
          "a prefix of " + base + " has 0 to " + base.bits() + " bits: " + length);
    }
    base = base.prefix(length);
  }

  /**
   * Returns the network that a text names: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or one
   * address.
   *
   * @throws IllegalArgumentException if it names none; the message can be shown
   */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    IpAddress base = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
    if (base == null) {
      throw new IllegalArgumentException("not an address or a network: \"" + text + "\"");
    }
    return new Network(base, slash < 0 ? base.bits() : length(text, slash + 1));
  }

  /** Tells whether the address is one of them. */
  public boolean contains(IpAddress address) {
    return address.v6() == base.v6() && address.prefix(length).equals(base);
  }

  /** Returns what {@link #parse} reads; a single address has no length. */
  @Override
  public String toString() {
    return length == base.bits() ? base.toString() : base + "/" + length;
  }

  private static int length(String text, int from) {
    int digits = text.length() - from;
    if (digits < 1
        || digits > 3
        || !text.substring(from).chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new IllegalArgumentException("not a network: \"" + text + "\"");
    }
    return Integer.parseInt(text, from, text.length(), 10);
  }
}
