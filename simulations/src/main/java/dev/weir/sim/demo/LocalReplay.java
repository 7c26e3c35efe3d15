package dev.weir.sim.demo;

import dev.weir.core.quota.QuotaSpec;
import dev.weir.sim.judge.AuditException;
import dev.weir.sim.judge.AuditLog;
import dev.weir.sim.judge.Judge;
import dev.weir.sim.judge.QuotaVerdict;
import dev.weir.sim.live.AgentClient;
import dev.weir.sim.live.LeaseSample;
import dev.weir.sim.live.LeaseWatch;
import dev.weir.sim.live.LiveReplay;
import dev.weir.sim.live.Oracle;
import dev.weir.sim.live.Outcome;
import dev.weir.sim.live.Question;
import dev.weir.sim.live.Timeline;
import dev.weir.sim.report.Run;
import dev.weir.sim.screen.ProgressBar;
import dev.weir.sim.screen.Terminal;
import dev.weir.sim.trace.Arrivals;
import dev.weir.sim.trace.Pace;
import dev.weir.sim.trace.Trace;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Replays a trace against a running fleet, watches the leases meanwhile, and has the run judged.
 */
final class LocalReplay {
  /** The rate error allowed for any clock, as the processes have it by default. */
  private static final int DRIFT_PPM = 500;

  /** Agents write out what they admitted at least once a second. */
  private static final long AUDIT_WAIT_SECONDS = 2;

  private static final long REFILL_MILLIS_MAX = 5_000;
  private static final long SLOT_NANOS_MIN = 100_000_000;
  private static final int SLOTS = 300;
  private static final Duration LEASE_PERIOD = Duration.ofMillis(100);

  private final Session session;
  private final LocalQuotas quotas;
  private final Trace trace;
  private final Pace pace;
  private final long seed;

  LocalReplay(Session session, LocalQuotas quotas, Trace trace, Pace pace, long seed) {
    this.session = session;
    this.quotas = quotas;
    this.trace = trace;
    this.pace = pace;
    this.seed = seed;
  }

  /** Plays and judges; the agents are stopped in between unless they are to be kept. */
  Run run(boolean keepAgents) throws IOException, FleetException, InterruptedException {
    QuotaSpec shared = quotas.shared();
    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    Map<String, AgentClient> agents = agents(http);
    warmUp(http, agents);
    Outcome outcome;
    List<LeaseSample> leases;
    long sentBefore = syncMessages(http);
    try (LeaseWatch watch =
        LeaseWatch.start(http, session.fleet().coordinator(), shared.id(), LEASE_PERIOD)) {
      outcome = play(agents);
      leases = watch.samples();
    }
    session.fleet().requireAlive();
    long sent = syncMessages(http) - sentBefore;
    if (keepAgents) {
      new CountDownLatch(1).await(AUDIT_WAIT_SECONDS, TimeUnit.SECONDS);
    } else {
      session.fleet().stopAgents();
    }
    return new Run(
        trace,
        pace,
        seed,
        shared,
        quotas.domain().regions(),
        DRIFT_PPM,
        outcome,
        judge(),
        leases,
        sent);
  }

  /** Requests that the agents have sent to the coordinator so far. */
  private long syncMessages(HttpClient http)
      throws IOException, FleetException, InterruptedException {
    Ports ports = session.fleet().ports();
    double sum = 0;
    for (int agent = 0; agent < ports.agents(); agent++) {
      sum +=
          Metrics.of(http, Ports.url(ports.agentAdmin(agent)))
              .sum("weir_sync_requests_total", "")
              .orElse(0);
    }
    return Math.round(sum);
  }

  private Map<String, AgentClient> agents(HttpClient http) throws FleetException {
    Question question = quotas.question();
    Map<String, AgentClient> agents = new LinkedHashMap<>();
    session
        .fleet()
        .agentUrls()
        .forEach((region, url) -> agents.put(region, new AgentClient(http, url, question)));
    return agents;
  }

  private void warmUp(HttpClient http, Map<String, AgentClient> agents)
      throws FleetException, InterruptedException {
    QuotaSpec shared = quotas.shared();
    long refillNanos = shared.rate().nanosToMint(shared.burstMicros());
    try (LeaseWatch watch =
        LeaseWatch.start(http, session.fleet().coordinator(), shared.id(), LEASE_PERIOD)) {
      new WarmUp(agents, watch)
          .run(Math.min(REFILL_MILLIS_MAX, TimeUnit.NANOSECONDS.toMillis(refillNanos)));
    }
  }

  private Outcome play(Map<String, AgentClient> agents)
      throws FleetException, InterruptedException {
    long lengthNanos = pace.replayNanos(trace.lengthNanos());
    Timeline timeline =
        new Timeline(quotas.regions(), Math.max(SLOT_NANOS_MIN, lengthNanos / SLOTS));
    System.err.printf(
        Locale.ROOT,
        "replaying %s, %,.0f times as fast, for %,.0f s ...%n",
        trace.name(),
        pace.speed(),
        lengthNanos / 1e9);
    ProgressBar bar = new ProgressBar(System.err, Terminal.isWatched(), lengthNanos);
    LiveReplay replay =
        new LiveReplay(agents, new Oracle(quotas.book(), quotas.question()), timeline);
    Outcome outcome = replay.run(new Arrivals(trace, pace, seed), bar::show);
    bar.done();
    return outcome;
  }

  private List<QuotaVerdict> judge() throws IOException, FleetException {
    AuditLog log = new AuditLog();
    try {
      for (String region : quotas.regions()) {
        Path file = session.folder().auditOf(region);
        if (Files.exists(file)) {
          log.add(file);
        }
      }
      return new Judge(quotas.book(), DRIFT_PPM).judge(log);
    } catch (AuditException e) {
      throw new FleetException("the bound cannot be judged: " + e.getMessage());
    }
  }
}
