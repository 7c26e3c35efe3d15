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
public final class Fleet implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);

  private final Path home;
  private final RunFolder folder;
  private final Ports ports;
  private final Map<String, ServerProcess> agents = new LinkedHashMap<>();
  private final Map<String, Integer> restarts = new LinkedHashMap<>();
  private final List<ServerProcess> coordinators = new ArrayList<>();
  private final List<RedisServer> redis = new ArrayList<>();
  private Tuning tuning = Tuning.AUDITED;
  private boolean closed;

  /**
   * A fleet that is not started yet.
   *
   * @param home where {@code deploy/weir} is
   */
  public Fleet(Path home, RunFolder folder, Ports ports) {
    this.home = home;
    this.folder = folder;
    this.ports = ports;
  }

  /**
   * How agents are run.
   *
   * @param audit whether each writes down what it admits
   * @param environment more variables for their processes
   */
  public record Tuning(boolean audit, Map<String, String> environment) {
    /** As users run them, and judged. */
    public static final Tuning AUDITED = new Tuning(true, Map.of());
  }

  /** Says how agents that are started from now on are run. */
  public synchronized void tune(Tuning next) {
    tuning = next;
  }

  /** Starts everything and waits until all of it is ready. */
  public void start(Path quotas, List<String> regions, PrintStream progress)
      throws IOException, FleetException, InterruptedException {
    Files.copy(quotas, folder.quotas().resolve(quotas.getFileName()));
    progress.println("starting Redis, a coordinator and " + regions.size() + " agents ...");
    startRedis();
    startCoordinator(List.of("--first-start")).awaitReady(START);
    for (String region : regions) {
      ServerProcess unused = startAgent(region);
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

  private synchronized ServerProcess startCoordinator(List<String> words)
      throws IOException, FleetException {
    List<String> arguments = new ArrayList<>(List.of("coordinator", "--config"));
    arguments.add(new Settings(folder, ports).writeCoordinator().toString());
    arguments.addAll(words);
    ServerProcess coordinator =
        launch(numbered("coordinator", coordinators.size()), arguments, Map.of());
    coordinators.add(coordinator);
    return coordinator;
  }

  private synchronized ServerProcess startAgent(String region) throws IOException, FleetException {
    int before = restarts.merge(region, 0, (restarted, first) -> restarted + 1);
    int number = new ArrayList<>(restarts.keySet()).indexOf(region);
    Path audit = tuning.audit() ? folder.auditOf(region, before) : null;
    Path config = new Settings(folder, ports).writeAgent(region, number, audit);
    ServerProcess agent =
        launch(
            numbered("agent-" + region, before),
            List.of("agent", "--config", config.toString()),
            tuning.environment());
    agents.put(region, agent);
    return agent;
  }

  private static String numbered(String name, int restarts) {
    return restarts == 0 ? name : name + "-" + restarts;
  }

  private synchronized ServerProcess launch(
      String name, List<String> arguments, Map<String, String> environment) throws FleetException {
    requireOpen();
    List<String> command = new ArrayList<>();
    command.add(home.resolve("deploy/weir").toString());
    command.addAll(arguments);
    Path log = folder.logs().resolve(name + ".log");
    // What this process runs from has been built; the children must not build again side by side.
    Map<String, String> variables = new LinkedHashMap<>(environment);
    variables.put("WEIR_BUILD", "never");
    return ServerProcess.start(name, log, command, variables);
  }

  private void requireOpen() throws FleetException {
    if (closed) {
      throw new FleetException("stopped while starting");
    }
  }

  /** Ends the coordinator as {@code kill -9} does. */
  public void killCoordinator() throws InterruptedException {
    newestCoordinator().kill();
  }

  /** Starts the coordinator again on what it left behind, and waits until it is ready. */
  public void restartCoordinator() throws IOException, FleetException, InterruptedException {
    startCoordinator(List.of()).awaitReady(START);
  }

  private synchronized ServerProcess newestCoordinator() {
    return coordinators.get(coordinators.size() - 1);
  }

  /** A region's agent as it runs now. */
  public synchronized ServerProcess agent(String region) {
    ServerProcess agent = agents.get(region);
    if (agent == null) {
      throw new IllegalArgumentException("no agent for " + region);
    }
    return agent;
  }

  /** Starts a region's agent again on what the last one left, and waits until it is ready. */
  public void restartAgent(String region) throws IOException, FleetException, InterruptedException {
    startAgent(region).awaitReady(START);
  }

  /** How often a region's agent was started again. */
  public synchronized int restartsOf(String region) {
    return restarts.getOrDefault(region, 0);
  }

  /** Where the coordinator answers. */
  public URI coordinator() {
    return Ports.url(ports.coordinator());
  }

  /** Where the agents answer, by region. */
  public synchronized Map<String, URI> agentUrls() {
    Map<String, URI> urls = new LinkedHashMap<>();
    int number = 0;
    for (String region : agents.keySet()) {
      urls.put(region, Ports.url(ports.agent(number++)));
    }
    return urls;
  }

  /** Which ports are used. */
  public Ports ports() {
    return ports;
  }

  /** Fails, with the end of its log, if a process has ended by itself. */
  public synchronized void requireAlive() throws FleetException {
    List<ServerProcess> all = new ArrayList<>(List.of(newestCoordinator()));
    all.addAll(agents.values());
    for (ServerProcess server : all) {
      if (!server.isAlive()) {
        throw new FleetException(server.name() + " ended by itself:\n" + server.logTail());
      }
    }
  }

  /** Stops the agents, so that their audit files are complete. */
  public synchronized void stopAgents() {
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
