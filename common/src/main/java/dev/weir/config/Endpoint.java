package dev.weir.config;

/**
 * A host and a port.
 *
 * @param host a name or an address, IPv6 without brackets; not empty
 * @param port in {@code [0, 65535]}; 0 for any that is free, where a server listens
 */
public record Endpoint(String host, int port) {
  /** Largest port. */
  public static final int PORT_MAX = 65_535;

  public Endpoint {
    if (host.isEmpty() || port < 0 || port > PORT_MAX) {
      throw new IllegalArgumentException("no endpoint: \"" + host + "\" port " + port);
    }
  }

  static Endpoint parse(String text) throws BadValue {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw new BadValue("is not an address, as in 127.0.0.1:5701");
    }
    String host = host(text.substring(0, colon));
    return new Endpoint(host, Amounts.whole(0, PORT_MAX).parse(text.substring(colon + 1)));
  }

  static String host(String text) throws BadValue {
    boolean bracketed = text.startsWith("[") && text.endsWith("]");
    String host = bracketed ? text.substring(1, text.length() - 1) : text;
    if (host.isEmpty()
        || !host.matches("[A-Za-z0-9._:%-]+")
        || (host.contains(":") && !bracketed)) {
      throw new BadValue("has no good host; IPv6 is written in brackets");
    }
    return host;
  }

  /** Returns {@code host:port}, IPv6 in brackets. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
