package dev.weir.coordinator.api;

import dev.weir.coordinator.desk.FrontDesk;
import dev.weir.coordinator.desk.Learning;
import dev.weir.coordinator.quotas.FilesState;
import dev.weir.coordinator.quotas.QuotaKeeper;
import dev.weir.coordinator.telemetry.CoordinatorMetrics;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Supplier;

/** Whether it lives, whether it serves, and what it counts. */
final class HealthRoutes {
  private final FrontDesk desk;
  private final QuotaKeeper keeper;
  private final Supplier<List<String>> diskProblems;
  private final CoordinatorMetrics metrics;

  HealthRoutes(
      FrontDesk desk,
      QuotaKeeper keeper,
      Supplier<List<String>> diskProblems,
      CoordinatorMetrics metrics) {
    this.desk = desk;
    this.keeper = keeper;
    this.diskProblems = diskProblems;
    this.metrics = metrics;
  }

  void on(Paths paths) {
    paths.probe("/healthz", this::healthz);
    paths.probe("/readyz", this::readyz);
    paths.probe("/metrics", this::metrics);
    paths.probe("/", this::index);
  }

  private void healthz(RoutingContext context) {
    Answers.json(context, new JsonObject().put("status", "alive"));
  }

  /** It serves while it learns, on the last good files, and for fast quotas without its disk. */
  private void readyz(RoutingContext context) {
    List<String> disk = diskProblems.get();
    FilesState files = keeper.files();
    Learning learning = desk.learning();
    JsonObject body =
        new JsonObject()
            .put("ready", true)
            .put("cluster", desk.cluster())
            .put("generation", keeper.book().generation())
            .put("learning", learning.quotas() > 0);
    if (learning.quotas() > 0) {
      body.put("learningQuotas", learning.quotas())
          .put("learningEndsInMs", learning.leftNanos() / 1_000_000)
          .put(
              "note",
              "leases are confirmed as agents declare them, and none is raised, until no lease of"
                  + " the run before can be alive that was not declared");
    }
    if (!files.problems().isEmpty()) {
      body.put(
          "files",
          new JsonObject()
              .put("good", false)
              .put("since", String.valueOf(files.since()))
              .put("problems", Problem.json(files.problems())));
    }
    int refused = desk.roster().refused();
    if (refused > 0) {
      body.put(
          "refused",
          new JsonObject()
              .put("agents", refused)
              .put(
                  "note",
                  "they belong to another cluster and get no leases here; GET /v1/agents says which"
                      + " and what to do"));
    }
    if (!disk.isEmpty()) {
      body.put("disk", new JsonArray(disk));
    }
    Answers.json(context, body);
  }

  private void metrics(RoutingContext context) {
    context
        .response()
        .putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        .end(metrics.scrape())
        .onFailure(gone -> {});
  }

  private void index(RoutingContext context) {
    context
        .response()
        .putHeader("Content-Type", "text/plain; charset=utf-8")
        .end(
            """
            Weir coordinator

            GET    /v1/domains
            GET    /v1/domains/{d}/quotas
            GET    /v1/domains/{d}/quotas/{q}           PUT, DELETE; If-Match, ?dryRun=true
            GET    /v1/domains/{d}/quotas/{q}/bound
            GET    /v1/domains/{d}/quotas/{q}/leases    ?key=tenant%3Dacme
            GET    /v1/domains/{d}/explain              ?d.tenant=acme&d.api=public
            POST   /v1/config/validate                  a whole quota file
            POST   /v1/config/apply                     a whole quota file; ?dryRun=true
            GET    /v1/regions
            POST   /v1/regions/{r}/drain                undrain, release-floor
            GET    /v1/agents
            GET    /v1/events                           ?since=
            GET    /v1/events/stream                    server-sent events
            POST   /v1/sync                             the agents' protocol
            GET    /healthz                             /readyz, /metrics
            """)
        .onFailure(gone -> {});
  }
}
