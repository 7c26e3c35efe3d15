package dev.weir.coordinator.telemetry;

import dev.weir.coordinator.desk.AgentView;
import dev.weir.coordinator.desk.FrontDesk;
import dev.weir.coordinator.grid.LeaseTotals;
import dev.weir.coordinator.grid.LedgerOwner;
import dev.weir.coordinator.quotas.QuotaKeeper;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.Match;
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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The coordinator's metrics, by domain, quota and region; never by key. Any thread. */
public final class CoordinatorMetrics implements Closeable {
  private static final double MICRO = 1e-6;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final FrontDesk desk;
  private final QuotaKeeper keeper;
  private final LedgerOwner owner;
  private final MultiGauge limits;
  private final MultiGauge leased;
  private final MultiGauge reserve;
  private final MultiGauge unsatisfied;
  private final MultiGauge agents;
  private final MultiCounter reclaims;
  private final MultiCounter used;
  private final MultiCounter beside;
  private final Map<QuotaId, Timer> rebalances = new ConcurrentHashMap<>();

  /** Metrics of a coordinator. */
  public CoordinatorMetrics(FrontDesk desk, QuotaKeeper keeper, LedgerOwner owner) {
    this.desk = desk;
    this.keeper = keeper;
    this.owner = owner;
    this.limits = multi("weir.limit.units.per.second", "what one bucket of the quota refills at");
    this.leased = multi("weir.leased.units.per.second", "rate leased to agents, over all buckets");
    this.unsatisfied =
        multi(
            "weir.unsatisfied.units.per.second", "rate wanted beyond lease and floor, all buckets");
    this.reserve =
        multi(
            "weir.reserve.units.per.second",
            "rate that pools keep, over all buckets with a ledger; of a quota of one bucket also"
                + " without");
    this.agents = multi("weir.agents", "agents heard within the last hour");
    this.reclaims =
        new MultiCounter(registry, "weir.reclaims", "leases that came back to their pool");
    this.used =
        new MultiCounter(
            registry, "weir.global.used.units", "taken from leases and floors, as agents say");
    this.beside =
        new MultiCounter(
            registry,
            "weir.overadmission.units",
            "admitted by fallbacks beside leases and floors, as agents say: no more than this can"
                + " be beyond the quota");
    owner.rebalances().tell(this::rebalanced);
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
    reclaimRows();
    usageRows();
    forgetRebalances();
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
    for (QuotaSpec quota : quotas()) {
      Rate rate = quota.rate();
      rows.add(Row.of(tags(quota.id()), rate.micros() * MICRO * 1e9 / rate.perNanos()));
    }
    return rows;
  }

  private void totalRows() {
    List<Row<?>> leasedRows = new ArrayList<>();
    List<Row<?>> unsatisfiedRows = new ArrayList<>();
    List<Row<?>> reserveRows = new ArrayList<>();
    Map<QuotaId, LeaseTotals.Total> totals = owner.totals().totals();
    for (QuotaSpec quota : quotas()) {
      LeaseTotals.Total total = totals.getOrDefault(quota.id(), LeaseTotals.Total.NOTHING);
      if (quota.isLeased()) {
        reserveRows.add(Row.of(tags(quota.id()), reserveMicros(quota, total) * MICRO));
      }
      total
          .regions()
          .forEach(
              (region, its) -> {
                Tags tags = tags(quota.id()).and("region", region);
                leasedRows.add(Row.of(tags, its.leasedMicros() * MICRO));
                unsatisfiedRows.add(Row.of(tags, its.unsatisfiedMicros() * MICRO));
              });
    }
    leased.register(leasedRows, true);
    unsatisfied.register(unsatisfiedRows, true);
    reserve.register(reserveRows, true);
  }

  /** The pool of the one bucket of a quota is all there is, as long as nobody asked about it. */
  private long reserveMicros(QuotaSpec quota, LeaseTotals.Total total) {
    LedgerTerms terms = desk.terms(quota.id());
    boolean untouched = total.ledgers() == 0 && quota.match().stream().noneMatch(Match::isFree);
    return untouched && terms != null
        ? new Rate(terms.leasable().rateMicros(), terms.perNanos())
            .toPer(Nanos.SECOND_NANOS, false)
            .micros()
        : total.reserveMicros();
  }

  private void reclaimRows() {
    Map<Tags, Double> rows = new HashMap<>();
    owner
        .reclaims()
        .counts()
        .forEach(
            (reclaim, count) -> {
              if (!isForgotten(reclaim.quota())) {
                rows.put(
                    tags(reclaim.quota())
                        .and("region", reclaim.region())
                        .and("cause", reclaim.cause().name().toLowerCase(Locale.ROOT)),
                    (double) count);
              }
            });
    reclaims.set(rows);
  }

  private void usageRows() {
    Map<Tags, Double> usedRows = new HashMap<>();
    Map<Tags, Double> besideRows = new HashMap<>();
    desk.usage()
        .totals()
        .forEach(
            (quota, regions) -> {
              if (!isForgotten(quota)) {
                regions.forEach(
                    (region, total) -> {
                      Tags tags = tags(quota).and("region", region);
                      usedRows.put(tags, total.usedMicros() * MICRO);
                      besideRows.put(tags, total.besideMicros() * MICRO);
                    });
              }
            });
    used.set(usedRows);
    beside.set(besideRows);
  }

  private void rebalanced(QuotaId quota, long nanos) {
    rebalances
        .computeIfAbsent(
            quota,
            id ->
                Timer.builder("weir.rebalance.duration")
                    .description(
                        "from an answer that cannot give a region its part to the one that can")
                    .tags(tags(id))
                    .serviceLevelObjectives(
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        Duration.ofMillis(200),
                        Duration.ofMillis(500),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(20))
                    .register(registry))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private void forgetRebalances() {
    rebalances
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = isForgotten(entry.getKey());
              if (gone) {
                registry.remove(entry.getValue());
              }
              return gone;
            });
  }

  private boolean isForgotten(QuotaId quota) {
    return keeper.book().quota(quota) == null;
  }

  private List<QuotaSpec> quotas() {
    return keeper.book().domains().values().stream()
        .flatMap(domain -> domain.quotas().stream())
        .toList();
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
