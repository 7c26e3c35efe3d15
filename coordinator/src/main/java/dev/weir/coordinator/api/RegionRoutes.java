package dev.weir.coordinator.api;

import dev.weir.coordinator.desk.AgentView;
import dev.weir.coordinator.desk.FrontDesk;
import dev.weir.coordinator.quotas.Outcome;
import dev.weir.coordinator.quotas.QuotaKeeper;
import dev.weir.core.lease.FloorBook;
import dev.weir.core.lease.FloorBook.RegionFloors;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Region;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Regions and the agents in them. */
final class RegionRoutes {
  private final FrontDesk desk;
  private final QuotaKeeper keeper;

  RegionRoutes(FrontDesk desk, QuotaKeeper keeper) {
    this.desk = desk;
    this.keeper = keeper;
  }

  void on(Paths paths) {
    paths.read("/v1/regions", this::regions);
    paths.read("/v1/agents", this::agents);
    told(paths, "drain", context -> drain(context, true));
    told(paths, "undrain", context -> drain(context, false));
    told(paths, "release-floor", this::releaseFloor);
  }

  private static void told(Paths paths, String word, Handler<RoutingContext> handler) {
    paths.on(HttpMethod.POST, "/v1/regions/:region/" + word, handler);
  }

  private void regions(RoutingContext context) {
    Answers.when(
        context,
        desk.floorBook(),
        floors -> Answers.json(context, new JsonObject().put("regions", regions(floors))));
  }

  private JsonArray regions(FloorBook floors) {
    Map<String, JsonObject> regions = new TreeMap<>();
    for (DomainBook domain : keeper.book().domains().values()) {
      for (Region region : domain.regions()) {
        regions
            .computeIfAbsent(region.name(), this::region)
            .getJsonObject("weights")
            .put(domain.domain(), region.weight());
      }
    }
    // A region that was removed keeps its floors until they have run out.
    floors
        .regions()
        .forEach(
            (name, held) -> regions.computeIfAbsent(name, this::region).put("floor", floor(held)));
    JsonArray all = new JsonArray();
    regions.values().forEach(all::add);
    return all;
  }

  private JsonObject region(String name) {
    JsonArray agents = new JsonArray();
    desk.roster().agents().stream()
        .filter(agent -> agent.region().equals(name))
        .forEach(agent -> agents.add(json(agent)));
    return new JsonObject()
        .put("region", name)
        .put("weights", new JsonObject())
        .put("drained", keeper.drained().contains(name))
        .put("floor", new JsonObject().put("held", false))
        .put("agents", agents);
  }

  private static JsonObject floor(RegionFloors held) {
    return new JsonObject()
        .put("held", held.boot() != 0)
        .put("boot", held.boot())
        .put("newestBoot", held.newestBoot())
        .put("version", held.version());
  }

  private void agents(RoutingContext context) {
    JsonArray agents = new JsonArray();
    desk.roster().agents().forEach(agent -> agents.add(json(agent)));
    Answers.json(
        context,
        new JsonObject().put("generation", keeper.book().generation()).put("agents", agents));
  }

  private JsonObject json(AgentView agent) {
    JsonObject json =
        new JsonObject()
            .put("region", agent.region())
            .put("boot", agent.boot())
            .put("state", agent.state().name().toLowerCase(Locale.ROOT))
            .put("status", agent.told().name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .put("address", agent.address())
            .put("heardMsAgo", Nanos.elapsed(agent.heardAtNanos(), desk.nowNanos()) / 1_000_000)
            .put("seq", agent.seq())
            .put("generation", agent.generation())
            .put("floor", agent.holdsFloor())
            .put("floorVersion", agent.floorVersion())
            .put("buckets", agent.buckets());
    return agent.detail().isEmpty() ? json : json.put("detail", agent.detail());
  }

  private void drain(RoutingContext context, boolean on) {
    String region = context.pathParam("region");
    if (isKnown(context, region)) {
      Answers.when(
          context,
          keeper.drain(region, on),
          outcome -> {
            if (outcome instanceof Outcome.Done) {
              Answers.json(context, new JsonObject().put("region", region).put("drained", on));
            } else {
              Answers.outcome(context, outcome, 200);
            }
          });
    }
  }

  private void releaseFloor(RoutingContext context) {
    String region = context.pathParam("region");
    if (isKnown(context, region)) {
      Answers.when(
          context,
          desk.releaseFloor(region),
          held ->
              Answers.json(
                  context,
                  new JsonObject()
                      .put("region", region)
                      .put("released", held)
                      .put(
                          "note",
                          held
                              ? "the next run of the region's agent is given its floors"
                              : "nobody held the floors of this region")));
    }
  }

  private boolean isKnown(RoutingContext context, String name) {
    List<String> known =
        keeper.book().domains().values().stream()
            .flatMap(domain -> domain.regions().stream())
            .map(Region::name)
            .distinct()
            .sorted()
            .toList();
    boolean heard =
        desk.roster().agents().stream()
            .filter(agent -> agent.told() != AgentView.Told.OTHER_CLUSTER)
            .anyMatch(agent -> agent.region().equals(name));
    if (known.contains(name) || heard) {
      return true;
    }
    Problem.send(
        context,
        404,
        "Not found",
        "there is no region " + name + "; there are: " + String.join(", ", known));
    return false;
  }
}
