package dev.weir.sim.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;

/**
 * Which process listens where, all on loopback: the coordinator on the base (8070 by default), its
 * cluster port one above, agents on base + 10, + 20, + 30 (their gRPC and admin ports one and two
 * above those), Redis on base + 9.
 *
 * @param base in {@code [1024, 65000]}
 * @param agents how many
 */
public record Ports(int base, int agents) {
  /** Where ports begin by default. */
  public static final int DEFAULT_BASE = 8070;

  /** Checks the base. */
  public Ports {
    if (base < 1024 || base > 65_000) {
      throw new IllegalArgumentException("--port-base must be in [1024, 65000]: " + base);
    }
  }

  /** The coordinator's HTTP port. */
  public int coordinator() {
    return base;
  }

  /** The coordinator's port for other members. */
  public int cluster() {
    return base + 1;
  }

  /** The port of Redis. */
  public int redis() {
    return base + 9;
  }

  /** An agent's port for decisions. */
  public int agent(int number) {
    return base + 10 * (number + 1);
  }

  /** An agent's port for Envoy. */
  public int agentGrpc(int number) {
    return agent(number) + 1;
  }

  /** An agent's port for operators. */
  public int agentAdmin(int number) {
    return agent(number) + 2;
  }

  /** The address of a port on loopback. */
  public static URI url(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Fails, naming the port and the way out, if another process listens on any of them. */
  public void requireFree() throws FleetException {
    requireFree("the coordinator", coordinator());
    requireFree("the coordinator's cluster port", cluster());
    requireFree("Redis", redis());
    for (int i = 0; i < agents; i++) {
      requireFree("an agent", agent(i));
      requireFree("an agent's gRPC port", agentGrpc(i));
      requireFree("an agent's admin port", agentAdmin(i));
    }
  }

  private static void requireFree(String who, int port) throws FleetException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new FleetException(
          "port "
              + port
              + ", meant for "
              + who
              + ", is in use: stop what listens there, or choose other ports with --port-base");
    }
  }
}
