package dev.weir.sim.drill;

import dev.weir.core.bound.Overshoot;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.FloorSplit;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Share;
import dev.weir.core.quota.Tokens;
import dev.weir.sim.demo.Fleet;
import dev.weir.sim.demo.FleetException;
import dev.weir.sim.demo.Home;
import dev.weir.sim.demo.LocalQuotas;
import dev.weir.sim.demo.Ports;
import dev.weir.sim.demo.Session;
import dev.weir.sim.judge.Admitted;
import dev.weir.sim.judge.AuditException;
import dev.weir.sim.judge.AuditLog;
import dev.weir.sim.judge.Judge;
import dev.weir.sim.judge.QuotaVerdict;
import dev.weir.sim.live.AgentClient;
import dev.weir.sim.live.LiveReplay;
import dev.weir.sim.live.Oracle;
import dev.weir.sim.live.Timeline;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A fleet with the quotas of one drill: loaded, hurt, and judged in the end. */
final class Trial implements AutoCloseable {
  /** Where decisions are counted, as the sender sees them. */
  static final long SLOT_NANOS = 5_000_000;

  /** The rate error allowed for any clock, as the processes have it by default. */
  private static final int DRIFT_PPM = 500;

  private final Session session;
  private final LocalQuotas quotas;
  private final boolean keep;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private boolean good;

  private Trial(Session session, LocalQuotas quotas, boolean keep) {
    this.session = session;
    this.quotas = quotas;
    this.keep = keep;
  }

  /**
   * Starts a fleet.
   *
   * @param yaml its quota file
   * @param agents how many of the regions have an agent, the first ones
   */
  static Trial open(String yaml, int agents, Fleet.Tuning tuning, DrillOptions options)
      throws IOException, FleetException, InterruptedException {
    Path home = Home.find();
    Ports ports = new Ports(options.local.portBase, agents);
    ports.requireFree();
    Session session = Session.open("drill", home, ports);
    try {
      Path file = Files.writeString(session.folder().run().resolve("drill.yaml"), yaml);
      LocalQuotas quotas = LocalQuotas.readFile(file);
      Trial trial = new Trial(session, quotas, options.keep);
      session.fleet().tune(tuning);
      session.fleet().start(file, quotas.regions().subList(0, agents), System.err);
      return trial;
    } catch (IOException | FleetException | InterruptedException | RuntimeException e) {
      session.keepFolder();
      session.close();
      throw e;
    }
  }

  Fleet fleet() {
    return session.fleet();
  }

  Path folder() {
    return session.folder().run();
  }

  HttpClient http() {
    return http;
  }

  List<String> regions() {
    return quotas.regions();
  }

  QuotaSpec quota() throws FleetException {
    return quotas.shared();
  }

  /** The one bucket of the shared quota. */
  BucketId bucket() throws FleetException {
    return new BucketId(quota().id(), "");
  }

  double tokensPerSecond() throws FleetException {
    return quotas.sharedTokensPerSecond();
  }

  /** What a region may spend of the shared quota on its own. */
  double floorTokensPerSecond(String region) throws FleetException {
    return floor(region).rateMicros() * 1e9 / quota().rate().perNanos() / Tokens.MICROS_PER_TOKEN;
  }

  /** What it may spend of that at once. */
  double floorBurstTokens(String region) throws FleetException {
    return floor(region).burstMicros() / (double) Tokens.MICROS_PER_TOKEN;
  }

  private Share floor(String region) throws FleetException {
    return FloorSplit.of(quota(), quotas.domain().regions()).getOrDefault(region, Share.ZERO);
  }

  /** Starts a load on the shared quota. */
  Load load(EvenLoad arrivals) throws FleetException {
    Map<String, AgentClient> agents = new LinkedHashMap<>();
    for (Map.Entry<String, URI> agent : fleet().agentUrls().entrySet()) {
      agents.put(agent.getKey(), new AgentClient(http, agent.getValue(), quotas.question()));
    }
    Oracle oracle = new Oracle(quotas.book(), quotas.question());
    return Load.start(
        new LiveReplay(agents, oracle, new Timeline(regions(), SLOT_NANOS)), arrivals);
  }

  /** What one region's agents admitted, all runs together. */
  AuditLog auditOf(String region) throws IOException, FleetException {
    AuditLog log = new AuditLog();
    for (int run = 0; run <= fleet().restartsOf(region); run++) {
      add(log, region, run);
    }
    return log;
  }

  /** What one run of a region's agent admitted of the shared quota. */
  List<Admitted> admittedBy(String region, int run) throws IOException, FleetException {
    AuditLog log = new AuditLog();
    add(log, region, run);
    return log.admitted(bucket());
  }

  /** What all agents admitted. */
  AuditLog audit() throws IOException, FleetException {
    AuditLog log = new AuditLog();
    for (String region : fleet().agentUrls().keySet()) {
      for (int run = 0; run <= fleet().restartsOf(region); run++) {
        add(log, region, run);
      }
    }
    return log;
  }

  private void add(AuditLog log, String region, int run) throws IOException, FleetException {
    Path file = session.folder().auditOf(region, run);
    if (!Files.exists(file)) {
      return;
    }
    try {
      log.add(file);
    } catch (AuditException e) {
      throw new FleetException("the bound cannot be judged: " + e.getMessage());
    }
  }

  /** Judges every window of every bucket, says how it came out, and returns whether all held. */
  boolean judge(AuditLog log, PrintStream out) throws FleetException {
    List<QuotaVerdict> verdicts;
    try {
      verdicts = new Judge(quotas.book(), DRIFT_PPM).judge(log);
    } catch (AuditException e) {
      throw new FleetException("the bound cannot be judged: " + e.getMessage());
    }
    good = !verdicts.isEmpty();
    for (QuotaVerdict verdict : verdicts) {
      Overshoot worst = verdict.worst();
      say(
          out,
          "%s: %,d admissions judged, overshoot %s tokens"
              + " (the tightest window, of %.3f s, stands %s tokens %s its bound)",
          verdict.quota().id(),
          verdict.decisions(),
          Tokens.text(worst.overshootMicros()),
          worst.lengthNanos() / 1e9,
          Tokens.text(Math.abs(worst.excessMicros())),
          worst.held() ? "below" : "ABOVE");
      good &= verdict.held();
    }
    say(out, good ? "The bound held." : "THE BOUND DID NOT HOLD.");
    return good;
  }

  /** For drills that judge nothing: nothing went wrong, so nothing need be kept. */
  void isGood() {
    good = true;
  }

  /** How busy the machine is: runnable threads over the last minute. */
  static String machine() {
    return String.format(
        Locale.ROOT,
        "load average %.1f on %d processors",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
  }

  static void say(PrintStream out, String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  @Override
  public void close() {
    if (keep || !good) {
      session.keepFolder();
    }
    session.close();
  }
}
