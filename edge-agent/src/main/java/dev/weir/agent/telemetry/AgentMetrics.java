package dev.weir.agent.telemetry;

import dev.weir.agent.QuotaCounters;
import dev.weir.agent.RateLimiter;
import dev.weir.agent.Reason;
import dev.weir.agent.count.Durations;
import dev.weir.agent.count.Fault;
import dev.weir.agent.count.Tally;
import dev.weir.agent.sync.Refreshes;
import dev.weir.agent.sync.SyncStatus;
import dev.weir.core.lease.HeldSum;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Tokens;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The agent's metrics. Decisions count in fields of their own; this reads those when it is asked,
 * so that no decision looks up a meter. No label is a key: their number is that of quotas. Used by
 * one thread at a time.
 */
public final class AgentMetrics implements AutoCloseable {
  /** What becomes of an agent, for whoever only wants to know whether all is well. */
  private enum Mode {
    NORMAL,
    /** It goes on with less than it should have. */
    DEGRADED,
    /** The region, or this process, gives back what it holds. */
    DRAINING
  }

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final RateLimiter limiter;
  private final Durations times;
  private final Tags region;
  private final Set<Tags> known = new HashSet<>();
  private final MultiGauge granted;
  private final MultiGauge wanted;
  private final MultiGauge remaining;

  /**
   * Counts what an agent does.
   *
   * @param times how long decisions took
   * @param faults questions that got no verdict
   */
  public AgentMetrics(RateLimiter limiter, Durations times, Tally<Fault> faults) {
    this.limiter = limiter;
    this.times = times;
    this.region = Tags.of("region", limiter.region());
    this.granted = multi("weir.lease.granted.units.per.second", "Rate leased, over all buckets");
    this.wanted =
        multi(
            "weir.lease.wanted.units.per.second",
            "Rate asked for in buckets the coordinator knows; floors meet a part of it");
    this.remaining =
        multi(
            "weir.lease.remaining.seconds", "Time left of the lease of the quota that ends first");
    new JvmMemoryMetrics().bindTo(registry);
    gc.bindTo(registry);
    gauge("weir.coordinator.reachable", "1 while the coordinator answers", this::reachable);
    gauge("weir.config.generation", "Generation of the quotas in use", this::generation);
    gauge("weir.keys.tracked", "Keys with a bucket of their own", RateLimiter::keyCount);
    gauge("weir.agent.boot", "Number of this run", of -> of.status().boot());
    states();
    counter(
        "weir.decisions",
        "Decisions by quota",
        Tags.of("domain", "", "quota", "", "outcome", "allowed", "reason", "OK", "source", "none"),
        RateLimiter::unmatched);
    for (Fault fault : Fault.values()) {
      Tags tags =
          Tags.of("domain", "", "quota", "", "outcome", "error", "reason", fault.name())
              .and("source", "none");
      counter("weir.decisions", "Decisions by quota", tags, of -> faults.of(fault));
    }
    for (Refreshes.Result result : Refreshes.Result.values()) {
      counter(
          "weir.lease.refresh",
          "Requests to the coordinator, by what became of them",
          Tags.of("result", lower(result.name())),
          of -> of.refreshes().of(result));
    }
    counter(
        "weir.sync.requests",
        "Requests sent to the coordinator",
        Tags.empty(),
        of -> of.status().requests());
    counter(
        "weir.sync.buckets",
        "Buckets named in them, each time anew",
        Tags.empty(),
        of -> of.status().bucketsNamed());
  }

  /**
   * Returns everything in the Prometheus text format.
   *
   * @param held what is held now, by quota
   */
  public String scrape(Map<QuotaId, HeldSum> held) {
    for (Map.Entry<QuotaId, QuotaCounters> entry : limiter.counters().entrySet()) {
      meter(entry.getKey(), entry.getValue());
    }
    leases(held);
    String labels = "region=\"" + limiter.region() + "\"";
    return registry.scrape()
        + times.text(
            "weir_decision_duration_seconds",
            "Time from reading a question to its decision, without the network",
            labels)
        + limiter
            .refreshes()
            .roundTrips()
            .text(
                "weir_lease_refresh_duration_seconds",
                "Time from a request to the coordinator to its answer",
                labels);
  }

  /** Lets the collector's listeners go. */
  @Override
  public void close() {
    gc.close();
    registry.close();
  }

  private void states() {
    for (Mode mode : Mode.values()) {
      Gauge.builder("weir.agent.mode", limiter, of -> mode(of.status().state()) == mode ? 1 : 0)
          .description("1 for how the agent is")
          .tags(region.and("mode", lower(mode.name())))
          .register(registry);
    }
    for (SyncStatus.State state : SyncStatus.State.values()) {
      Gauge.builder("weir.agent.state", limiter, of -> of.status().state() == state ? 1 : 0)
          .description("1 for the state the agent is in")
          .tags(region.and("state", lower(state.name())))
          .register(registry);
    }
  }

  private static Mode mode(SyncStatus.State state) {
    return switch (state) {
      case NORMAL -> Mode.NORMAL;
      case DRAINING, LEFT -> Mode.DRAINING;
      case STARTING, UNREACHABLE, UNKNOWN_REGION, FENCED -> Mode.DEGRADED;
    };
  }

  // ------------------------------------------------------------------------------ by quota

  private void leases(Map<QuotaId, HeldSum> held) {
    List<Row<?>> grantedRows = new ArrayList<>();
    List<Row<?>> wantedRows = new ArrayList<>();
    List<Row<?>> remainingRows = new ArrayList<>();
    // Of a quota nothing is held of, too: a series that stops says nothing.
    for (QuotaId id : limiter.counters().keySet()) {
      HeldSum sum = held.getOrDefault(id, HeldSum.NOTHING);
      Tags tags = region.and(tags(id));
      grantedRows.add(Row.of(tags, tokens(sum.grantedMicros())));
      wantedRows.add(Row.of(tags, tokens(sum.wantedMicros())));
      if (sum.leases() > 0) {
        remainingRows.add(Row.of(tags, (double) sum.soonestEndNanos() / Nanos.SECOND_NANOS));
      }
    }
    granted.register(grantedRows, true);
    wanted.register(wantedRows, true);
    remaining.register(remainingRows, true);
  }

  private void meter(QuotaId id, QuotaCounters counters) {
    Tags quota = tags(id);
    if (known.add(quota)) {
      units(quota.and("outcome", "allowed"), counters, QuotaCounters::allowedMicros);
      units(quota.and("outcome", "denied"), counters, QuotaCounters::refusedMicros);
      FunctionCounter.builder("weir.lease.used.units", counters, of -> total(of.usedMicros()))
          .description("Tokens taken from leases and floors")
          .tags(region.and(quota))
          .register(registry);
      FunctionCounter.builder("weir.near.limit", counters, QuotaCounters::nearLimit)
          .description("Requests allowed that left less than a fifth of what the bucket can hold")
          .tags(region.and(quota))
          .register(registry);
    }
    for (Reason reason : Reason.values()) {
      if (counters.allowed(reason) > 0) {
        decisions(quota, counters, reason, reason == Reason.SHADOW ? "shadow_denied" : "allowed");
      }
      if (counters.refused(reason) > 0) {
        decisions(quota, counters, reason, "denied");
      }
    }
  }

  /** Only what has happened has a series: there are many reasons, and most never do. */
  private void decisions(Tags quota, QuotaCounters counters, Reason reason, String outcome) {
    Tags tags =
        quota.and("outcome", outcome, "reason", reason.name(), "source", source(reason, outcome));
    if (known.add(tags)) {
      FunctionCounter.builder(
              "weir.decisions",
              counters,
              outcome.equals("denied") ? of -> of.refused(reason) : of -> of.allowed(reason))
          .description("Decisions by quota")
          .tags(region.and(tags))
          .register(registry);
    }
  }

  private static String source(Reason reason, String outcome) {
    boolean byFallback =
        reason == Reason.STORE_LOST
            || (reason == Reason.LEASE_EXPIRED && outcome.equals("allowed"));
    return byFallback ? "fallback" : "leased";
  }

  private void units(Tags tags, QuotaCounters counters, ToLongFunction<QuotaCounters> micros) {
    FunctionCounter.builder("weir.units", counters, of -> total(micros.applyAsLong(of)))
        .description("Tokens asked for, by what became of them")
        .tags(region.and(tags))
        .register(registry);
  }

  // ------------------------------------------------------------------------------ of the agent

  private void counter(String name, String help, Tags tags, ToDoubleFunction<RateLimiter> value) {
    FunctionCounter.builder(name, limiter, value)
        .description(help)
        .tags(region.and(tags))
        .register(registry);
  }

  private void gauge(String name, String help, ToDoubleFunction<RateLimiter> value) {
    Gauge.builder(name, limiter, value).description(help).tags(region).register(registry);
  }

  private MultiGauge multi(String name, String help) {
    return MultiGauge.builder(name).description(help).register(registry);
  }

  private double reachable(RateLimiter of) {
    return switch (of.status().state()) {
      case NORMAL, DRAINING, UNKNOWN_REGION -> 1;
      default -> 0;
    };
  }

  private double generation(RateLimiter of) {
    return of.quotas().generation();
  }

  private static Tags tags(QuotaId id) {
    return Tags.of("domain", id.domain(), "quota", id.name());
  }

  /** A sum that wraps around begins again at 0, which a scraper takes for a restart. */
  private static double total(long micros) {
    return tokens(micros & Long.MAX_VALUE);
  }

  private static double tokens(long micros) {
    return (double) micros / Tokens.MICROS_PER_TOKEN;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
