package dev.weir.coordinator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;

/** Sends what no decent client would. */
final class RawHttp {
  private static final int WAIT_MILLIS = 20_000;

  private RawHttp() {}

  /** An answer: its first line and headers, and its body. */
  record Answer(String head, String body) {}

  /**
   * Sends a request as it stands, over a connection of its own.
   *
   * @param lines without the {@code Host} and {@code Connection} that each request needs
   * @param body as bytes, each char one
   */
  static Answer send(URI server, String lines, String body) throws IOException {
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(WAIT_MILLIS);
      String head = lines.strip().replace("\n", "\r\n") + "\r\nHost: a\r\nConnection: close\r\n";
      String length = body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n";
      socket.getOutputStream().write((head + length + "\r\n" + body).getBytes(ISO_8859_1));
      String all = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      int end = all.indexOf("\r\n\r\n");
      return new Answer(all.substring(0, end), all.substring(end + 4));
    }
  }
}
