package dev.weir.coordinator;

import dev.weir.config.CoordinatorSettings;
import dev.weir.config.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Tries the addresses of a coordinator before anything is started, so that what cannot be used is
 * said in one line and with the setting to change.
 */
final class FreePorts {
  private FreePorts() {}

  /**
   * Tries them.
   *
   * @throws IOException if one is in use or not of this machine
   */
  static void require(CoordinatorSettings settings) throws IOException {
    require(
        settings.http(),
        "the API's address",
        "set http.port (WEIR_HTTP_PORT), or http.host, to another");
    require(
        settings.cluster().self(),
        "the cluster's address",
        "set cluster.self (WEIR_CLUSTER_SELF) to another: every coordinator on a machine has its"
            + " own, also one that has no other members");
  }

  private static void require(Endpoint at, String what, String remedy) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(at.host(), at.port()));
    } catch (IOException refused) {
      throw new IOException(
          what + " " + at + " cannot be used: " + refused.getMessage() + "; " + remedy, refused);
    }
  }
}
