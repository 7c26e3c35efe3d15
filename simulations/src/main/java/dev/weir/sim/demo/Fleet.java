package dev.weir.sim.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import redis.embedded.RedisServer;

/**
 * A coordinator, one agent per region and a Redis, each a process of its own on loopback. Closing
 * it stops all that were started, from any thread, as often as called; if the start fails, what had
 * started is stopped before it throws.
 */
final class Fleet implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);

  private final Path home;
  private final RunFolder folder;
  private final Ports ports;
  private final Map<String, ServerProcess> agents = new LinkedHashMap<>();
  private final List<ServerProcess> coordinators = new ArrayList<>();
  private final List<RedisServer> redis = new ArrayList<>();
  private boolean closed;

  /**
   * A fleet that is not started yet.
   *
   * @param home where {@code deploy/weir} is
   */
  Fleet(Path home, RunFolder folder, Ports ports) {
    this.home = home;
    this.folder = folder;
    this.ports = ports;
  }

  /** Starts everything and waits until all of it is ready. */
  void start(Path quotas, List<String> regions, PrintStream progress)
      throws IOException, FleetException, InterruptedException {
    Files.copy(quotas, folder.quotas().resolve(quotas.getFileName()));
    Settings settings = new Settings(folder, ports);
    progress.println("starting Redis, a coordinator and " + regions.size() + " agents ...");
    startRedis();
    Path coordinator = settings.writeCoordinator();
    ServerProcess first =
        launch(
            "coordinator",
            List.of("coordinator", "--config", coordinator.toString(), "--first-start"));
    synchronized (this) {
      coordinators.add(first);
    }
    first.awaitReady(START);
    for (int i = 0; i < regions.size(); i++) {
      String region = regions.get(i);
      Path config = settings.writeAgent(region, i);
      ServerProcess agent =
          launch("agent-" + region, List.of("agent", "--config", config.toString()));
      synchronized (this) {
        agents.put(region, agent);
      }
    }
    for (ServerProcess agent : List.copyOf(agents.values())) {
      agent.awaitReady(START);
    }
  }

  private synchronized void startRedis() throws FleetException {
    requireOpen();
    try {
      RedisServer server =
          RedisServer.newRedisServer()
              .port(ports.redis())
              .bind("127.0.0.1")
              .setting("save \"\"")
              .setting("daemonize no")
              .build();
      server.start();
      redis.add(server);
    } catch (IOException e) {
      throw new FleetException("Redis did not start: " + e.getMessage());
    }
  }

  private synchronized ServerProcess launch(String name, List<String> arguments)
      throws FleetException {
    requireOpen();
    List<String> command = new ArrayList<>();
    command.add(home.resolve("deploy/weir").toString());
    command.addAll(arguments);
    Path log = folder.logs().resolve(name + ".log");
    // What this process runs from has been built; the children must not build again side by side.
    return ServerProcess.start(name, log, command, Map.of("WEIR_BUILD", "never"));
  }

  private void requireOpen() throws FleetException {
    if (closed) {
      throw new FleetException("stopped while starting");
    }
  }

  URI coordinator() {
    return Ports.url(ports.coordinator());
  }

  /** Where the agents answer, by region. */
  synchronized Map<String, URI> agentUrls() {
    Map<String, URI> urls = new LinkedHashMap<>();
    int number = 0;
    for (String region : agents.keySet()) {
      urls.put(region, Ports.url(ports.agent(number++)));
    }
    return urls;
  }

  Ports ports() {
    return ports;
  }

  /** Fails, with the end of its log, if a process has ended by itself. */
  synchronized void requireAlive() throws FleetException {
    List<ServerProcess> all = new ArrayList<>(coordinators);
    all.addAll(agents.values());
    for (ServerProcess server : all) {
      if (!server.isAlive()) {
        throw new FleetException(server.name() + " ended by itself:\n" + server.logTail());
      }
    }
  }

  /** Stops the agents, so that their audit files are complete. */
  synchronized void stopAgents() {
    agents.values().forEach(ServerProcess::askToStop);
    agents.values().forEach(ServerProcess::stop);
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    stopAgents();
    coordinators.forEach(ServerProcess::stop);
    for (RedisServer server : redis) {
      try {
        server.stop();
      } catch (IOException e) {
        System.err.println("weir: Redis did not stop: " + e.getMessage());
      }
    }
  }
}
