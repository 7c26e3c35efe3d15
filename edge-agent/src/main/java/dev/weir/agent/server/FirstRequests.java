package dev.weir.agent.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first requests an agent answers are its own: the code on the way of a decision is loaded
 * then, which takes a fifth of a second, ten times as long as a gateway waits for an answer. They
 * look (cost 0) in a domain without quotas, so they take nothing, make no key and count for no
 * quota. Its name is drawn for each run: a domain that others could guess would be a way past all
 * quotas.
 */
final class FirstRequests {
  private static final Logger LOG = LoggerFactory.getLogger(FirstRequests.class);

  /** How long one may take, connecting and answering apart. */
  private static final int WAIT_MILLIS = 2_000;

  private FirstRequests() {}

  /**
   * Makes them, one after the other; that one is not answered is logged and does no harm.
   *
   * @param host where the server listens, or every address of the machine
   * @param domain a domain the server knows and no quota is of
   */
  static void make(String host, int port, String domain) {
    make(host, port, "GET /v1/check?cost=0&d.first=request&domain=" + domain, "");
    make(
        host,
        port,
        "POST /v1/decisions",
        "{\"requests\":[{\"descriptors\":{\"first\":\"request\"},\"cost\":0,\"domain\":\""
            + domain
            + "\"}]}");
  }

  /** Returns a name for the domain of one run. */
  static String drawDomain() {
    return "first-requests-" + UUID.randomUUID();
  }

  private static void make(String host, int port, String request, String body) {
    try {
      send(host, port, request, body);
    } catch (IOException e) {
      LOG.info("a first request was not answered: {}", e.toString());
    }
  }

  private static void send(String host, int port, String request, String body) throws IOException {
    InetAddress address = InetAddress.getByName(host);
    InetAddress reached = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
    String text =
        request
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(reached, port), WAIT_MILLIS);
      socket.setSoTimeout(WAIT_MILLIS);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      byte[] unread = socket.getInputStream().readAllBytes();
      LOG.debug("{} bytes of answer to a first request", unread.length);
    }
  }
}
