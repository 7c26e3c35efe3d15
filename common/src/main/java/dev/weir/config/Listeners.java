package dev.weir.config;

/** Where a server listens: {@code {host: 127.0.0.1, port: 8080}}. */
final class Listeners {
  private Listeners() {}

  static Endpoint read(Section settings, String key, Endpoint defaults) {
    Section section = settings.section(key, key);
    if (section == null) {
      return defaults;
    }
    String host = section.value("host", Endpoint::host, defaults.host());
    int port = section.value("port", Amounts.whole(0, Endpoint.PORT_MAX), defaults.port());
    section.close();
    return new Endpoint(host, port);
  }
}
