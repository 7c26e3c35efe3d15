package dev.weir.agent.identity;

import dev.weir.config.Cidr;
import java.util.ArrayList;
import java.util.List;

/**
 * Who a request comes from, as a value for a descriptor such as {@code client=192.0.2.7}.
 *
 * <p>{@code X-Forwarded-For} is believed only as far as the proxies named here wrote it: it is read
 * from the right, where the nearest proxy appended, until the first address that is not such a
 * proxy. Whatever stands to the left of that one, a client may have made up. An IPv6 client is its
 * /64 by default, since one subscriber has at least that many addresses to choose from.
 *
 * <p>Immutable; any thread.
 */
public final class ClientIdentity {
  /** The bits by which IPv6 clients are told apart, unless said otherwise. */
  public static final int V6_LENGTH = 64;

  private final List<Cidr> trusted;
  private final int v4Length;
  private final int v6Length;

  /** Believes nobody's header: the peer is the client. */
  public ClientIdentity() {
    this(List.of());
  }

  /**
   * Believes these proxies.
   *
   * @param trusted the blocks that the proxies in front of the service connect from
   */
  public ClientIdentity(List<Cidr> trusted) {
    this(trusted, 32, V6_LENGTH);
  }

  /**
   * Believes these proxies.
   *
   * @param trusted the blocks that the proxies in front of the service connect from
   * @param v4Length the bits by which IPv4 clients are told apart, in {@code [1, 32]}
   * @param v6Length the bits by which IPv6 clients are told apart, in {@code [1, 128]}
   */
  public ClientIdentity(List<Cidr> trusted, int v4Length, int v6Length) {
    if (v4Length < 1 || v4Length > 32 || v6Length < 1 || v6Length > 128) {
      throw new IllegalArgumentException("no such prefix: /" + v4Length + ", /" + v6Length);
    }
    this.trusted = List.copyOf(trusted);
    this.v4Length = v4Length;
    this.v6Length = v6Length;
  }

  /**
   * Returns the client's address.
   *
   * @param peer the other end of the connection
   * @param forwardedFor the values of all {@code X-Forwarded-For} lines, in their order
   */
  public IpAddress client(IpAddress peer, List<String> forwardedFor) {
    IpAddress client = peer;
    List<String> hops = hops(forwardedFor);
    for (int i = hops.size() - 1; i >= 0 && isTrusted(client); i--) {
      IpAddress hop = IpAddress.parseWithPort(hops.get(i));
      if (hop == null) {
        // "unknown", or garbage: the last address that is known for certain is the one to charge.
        return client;
      }
      client = hop;
    }
    return client;
  }

  /**
   * Returns the value that stands for the client: an address, or a block as {@code 2001:db8::/64}.
   */
  public String describe(IpAddress peer, List<String> forwardedFor) {
    IpAddress client = client(peer, forwardedFor);
    int length = client.v6() ? v6Length : v4Length;
    String base = client.prefix(length).toString();
    return length == client.bits() ? base : base + "/" + length;
  }

  private boolean isTrusted(IpAddress address) {
    byte[] bytes = address.bytes();
    for (Cidr network : trusted) {
      if (network.contains(bytes)) {
        return true;
      }
    }
    return false;
  }

  private static List<String> hops(List<String> lines) {
    List<String> hops = new ArrayList<>();
    for (String line : lines) {
      for (String hop : line.split(",", -1)) {
        if (!hop.isBlank()) { // RFC 9110 section 5.6.1: empty elements of a list do not count
          hops.add(hop.strip());
        }
      }
    }
    return hops;
  }
}
