package dev.weir.agent.telemetry;

import dev.weir.agent.QuotaCounters;
import dev.weir.agent.RateLimiter;
import dev.weir.agent.Reason;
import dev.weir.agent.sync.SyncStatus;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Tokens;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * The agent's metrics. Decisions count in fields of their own; this reads those when it is asked,
 * so that no decision looks up a meter. Used by one thread at a time.
 */
public final class AgentMetrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final RateLimiter limiter;
  private final DecisionTimes times;
  private final Tags region;
  private final Set<Tags> known = new HashSet<>();

  /** Counts what an agent does. */
  public AgentMetrics(RateLimiter limiter, DecisionTimes times) {
    this.limiter = limiter;
    this.times = times;
    this.region = Tags.of("region", limiter.region());
    new JvmMemoryMetrics().bindTo(registry);
    gc.bindTo(registry);
    gauge("weir.coordinator.reachable", "1 while the coordinator answers", this::reachable);
    gauge("weir.config.generation", "Generation of the quotas in use", this::generation);
    gauge("weir.keys.tracked", "Keys with a bucket of their own", RateLimiter::keyCount);
    gauge("weir.agent.boot", "Number of this run", of -> of.status().boot());
    gauge(
        "weir.lease.refresh.duration.seconds",
        "Round trip to the coordinator, smoothed",
        of -> of.status().roundTripNanos() / 1e9);
    for (SyncStatus.State state : SyncStatus.State.values()) {
      Gauge.builder("weir.agent.mode", limiter, of -> of.status().state() == state ? 1 : 0)
          .description("1 for the state the agent is in")
          .tags(region.and("mode", lower(state.name())))
          .register(registry);
    }
    counter(
        "weir.decisions",
        "Decisions by quota",
        Tags.of("domain", "", "quota", "", "outcome", "allowed", "reason", "OK", "source", "none"),
        RateLimiter::unmatched);
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

  /** Returns everything in the Prometheus text format. */
  public String scrape() {
    for (Map.Entry<QuotaId, QuotaCounters> entry : limiter.counters().entrySet()) {
      meter(entry.getKey(), entry.getValue());
    }
    return registry.scrape() + times.text();
  }

  /** Lets the collector's listeners go. */
  @Override
  public void close() {
    gc.close();
    registry.close();
  }

  private void meter(QuotaId id, QuotaCounters counters) {
    Tags quota = Tags.of("domain", id.domain(), "quota", id.name());
    if (known.add(quota)) {
      units(quota.and("outcome", "allowed"), counters, QuotaCounters::allowedMicros);
      units(quota.and("outcome", "denied"), counters, QuotaCounters::refusedMicros);
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

  private void units(Tags tags, QuotaCounters counters, ToDoubleFunction<QuotaCounters> micros) {
    FunctionCounter.builder(
            "weir.units", counters, of -> micros.applyAsDouble(of) / Tokens.MICROS_PER_TOKEN)
        .description("Tokens asked for, by what became of them")
        .tags(region.and(tags))
        .register(registry);
  }

  private void counter(String name, String help, Tags tags, ToDoubleFunction<RateLimiter> value) {
    FunctionCounter.builder(name, limiter, value)
        .description(help)
        .tags(region.and(tags))
        .register(registry);
  }

  private void gauge(String name, String help, ToDoubleFunction<RateLimiter> value) {
    Gauge.builder(name, limiter, value).description(help).tags(region).register(registry);
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

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
