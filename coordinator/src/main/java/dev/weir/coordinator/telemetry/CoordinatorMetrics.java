package dev.weir.coordinator.telemetry;

import dev.weir.coordinator.desk.AgentView;
import dev.weir.coordinator.desk.FrontDesk;
import dev.weir.coordinator.grid.LeaseTotals;
import dev.weir.coordinator.quotas.QuotaKeeper;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The coordinator's metrics, by domain, quota and region; never by key. Any thread. */
public final class CoordinatorMetrics implements Closeable {
  private static final double MICRO = 1e-6;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final FrontDesk desk;
  private final QuotaKeeper keeper;
  private final LeaseTotals totals;
  private final MultiGauge limits;
  private final MultiGauge leased;
  private final MultiGauge unsatisfied;
  private final MultiGauge agents;

  /** Metrics of a coordinator. */
  public CoordinatorMetrics(FrontDesk desk, QuotaKeeper keeper, LeaseTotals totals) {
    this.desk = desk;
    this.keeper = keeper;
    this.totals = totals;
    this.limits = multi("weir.limit.units.per.second", "what one bucket of the quota refills at");
    this.leased = multi("weir.leased.units.per.second", "rate leased to agents, over all buckets");
    this.unsatisfied =
        multi(
            "weir.unsatisfied.units.per.second", "rate wanted beyond lease and floor, all buckets");
    this.agents = multi("weir.agents", "agents heard within the last hour");
    registerTheRest();
  }

  /** Counts a sync and the time it took to answer. */
  public void synced(String status, long nanos) {
    Timer.builder("weir.sync.duration")
        .description("time to answer an agent")
        .tag("status", status.toLowerCase(Locale.ROOT).replace('_', '-'))
        .serviceLevelObjectives(
            Duration.ofMillis(1),
            Duration.ofMillis(3),
            Duration.ofMillis(10),
            Duration.ofMillis(30),
            Duration.ofMillis(100),
            Duration.ofSeconds(1))
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Everything, as Prometheus reads it. */
  public String scrape() {
    limits.register(limitRows(), true);
    totalRows();
    agents.register(agentRows(), true);
    return registry.scrape();
  }

  private void registerTheRest() {
    Gauge.builder("weir.config.generation", keeper, its -> its.book().generation())
        .description("generation of the quotas in force")
        .register(registry);
    for (boolean good : new boolean[] {true, false}) {
      FunctionCounter.builder("weir.config.load", keeper, its -> its.loads(good))
          .description("how often quota files were read after a change")
          .tag("result", good ? "ok" : "error")
          .register(registry);
    }
    Gauge.builder("weir.config.files.good", keeper, its -> its.files().problems().isEmpty() ? 1 : 0)
        .description("whether the quota files of now are in force")
        .register(registry);
    Gauge.builder("weir.learning.quotas", desk, its -> its.learning().quotas())
        .description("quotas whose leases are only confirmed, after a restart")
        .register(registry);
    Gauge.builder("weir.ledgers", desk, its -> its.ledgers().size())
        .description("buckets with a ledger")
        .register(registry);
    Gauge.builder("weir.leader", () -> 1)
        .description("whether this member may decide about ledgers")
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    gc.bindTo(registry);
  }

  private List<Row<?>> limitRows() {
    List<Row<?>> rows = new ArrayList<>();
    for (DomainBook domain : keeper.book().domains().values()) {
      for (QuotaSpec quota : domain.quotas()) {
        Rate rate = quota.rate();
        rows.add(Row.of(tags(quota.id()), rate.micros() * MICRO * 1e9 / rate.perNanos()));
      }
    }
    return rows;
  }

  private void totalRows() {
    List<Row<?>> leasedRows = new ArrayList<>();
    List<Row<?>> unsatisfiedRows = new ArrayList<>();
    totals
        .totals()
        .forEach(
            (quota, regions) -> {
              if (keeper.book().quota(quota) != null) {
                regions.forEach(
                    (region, total) -> {
                      Tags tags = tags(quota).and("region", region);
                      leasedRows.add(Row.of(tags, total.leasedMicros() * MICRO));
                      unsatisfiedRows.add(Row.of(tags, total.unsatisfiedMicros() * MICRO));
                    });
              }
            });
    leased.register(leasedRows, true);
    unsatisfied.register(unsatisfiedRows, true);
  }

  private List<Row<?>> agentRows() {
    List<AgentView> all = desk.roster().agents();
    List<Row<?>> rows = new ArrayList<>();
    for (AgentView.State state : AgentView.State.values()) {
      long count = all.stream().filter(agent -> agent.state() == state).count();
      rows.add(Row.of(Tags.of("state", state.name().toLowerCase(Locale.ROOT)), count));
    }
    return rows;
  }

  private MultiGauge multi(String name, String description) {
    return MultiGauge.builder(name).description(description).register(registry);
  }

  private static Tags tags(QuotaId quota) {
    return Tags.of("domain", quota.domain(), "quota", quota.name());
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
