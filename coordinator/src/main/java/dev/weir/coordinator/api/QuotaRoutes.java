package dev.weir.coordinator.api;

import dev.weir.config.KnownNames;
import dev.weir.config.QuotaFile;
import dev.weir.coordinator.quotas.Condition;
import dev.weir.coordinator.quotas.QuotaKeeper;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Names;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** Quotas: read, made, changed, removed, checked. */
final class QuotaRoutes {
  private final QuotaKeeper keeper;

  QuotaRoutes(QuotaKeeper keeper) {
    this.keeper = keeper;
  }

  void on(Router router) {
    Reads.of(router, "/v1/domains").handler(this::domains);
    Reads.of(router, "/v1/domains/:domain/quotas").handler(this::list);
    Reads.of(router, "/v1/domains/:domain/quotas/:quota").handler(this::get);
    router.put("/v1/domains/:domain/quotas/:quota").handler(this::put);
    router.delete("/v1/domains/:domain/quotas/:quota").handler(this::remove);
    router.post("/v1/config/validate").handler(this::validate);
    router.post("/v1/config/apply").handler(this::apply);
  }

  private void domains(RoutingContext context) {
    QuotaBook book = keeper.book();
    JsonArray domains = new JsonArray();
    book.domains().values().forEach(domain -> domains.add(summary(domain)));
    Answers.json(
        context, new JsonObject().put("generation", book.generation()).put("domains", domains));
  }

  private void list(RoutingContext context) {
    QuotaBook book = keeper.book();
    String name = context.pathParam("domain");
    DomainBook domain = book.domains().get(name);
    if (domain == null) {
      noDomain(context, name, book);
      return;
    }
    JsonArray quotas = new JsonArray();
    for (QuotaSpec quota : domain.quotas()) {
      quotas.add(
          new JsonObject()
              .put("name", quota.id().name())
              .put("generation", keeper.changedAt(quota.id()))
              .put("source", keeper.source(quota.id()))
              .put("quota", json(quota)));
    }
    Answers.json(
        context, summary(domain).put("generation", book.generation()).put("quotas", quotas));
  }

  private void get(RoutingContext context) {
    QuotaSpec quota = quota(context, keeper);
    if (quota != null) {
      // As it may be put again.
      context
          .response()
          .putHeader("ETag", "\"" + keeper.changedAt(quota.id()) + "\"")
          .putHeader("Weir-Source", keeper.source(quota.id()));
      Answers.json(context, json(quota));
    }
  }

  private void put(RoutingContext context) {
    QuotaId id = id(context);
    Condition condition = id == null ? null : condition(context);
    if (id != null && condition != null) {
      boolean isNew = keeper.book().quota(id) == null;
      boolean dryRun = isDryRun(context);
      Answers.when(
          context,
          keeper.put(id, body(context), condition, dryRun),
          outcome -> Answers.outcome(context, outcome, isNew && !dryRun ? 201 : 200));
    }
  }

  private void remove(RoutingContext context) {
    QuotaId id = id(context);
    Condition condition = id == null ? null : condition(context);
    if (id != null && condition != null) {
      Answers.when(
          context,
          keeper.remove(id, condition, isDryRun(context)),
          outcome -> Answers.outcome(context, outcome, 200));
    }
  }

  private void validate(RoutingContext context) {
    Answers.when(
        context,
        keeper.validate(fileName(context), body(context)),
        outcome -> Answers.outcome(context, outcome, 200));
  }

  private void apply(RoutingContext context) {
    Answers.when(
        context,
        isDryRun(context)
            ? keeper.validate(fileName(context), body(context))
            : keeper.apply(fileName(context), body(context)),
        outcome -> Answers.outcome(context, outcome, 200));
  }

  /** What problems call the text that was sent. */
  private static String fileName(RoutingContext context) {
    String name = context.queryParams().get("file");
    return name == null ? "request" : name;
  }

  /** The quota of the path; null where there is none, which has been answered. */
  static @Nullable QuotaSpec quota(RoutingContext context, QuotaKeeper keeper) {
    String domainName = context.pathParam("domain");
    DomainBook domain = keeper.book().domains().get(domainName);
    if (domain == null) {
      noDomain(context, domainName, keeper.book());
      return null;
    }
    String name = context.pathParam("quota");
    for (QuotaSpec quota : domain.quotas()) {
      if (quota.id().name().equals(name)) {
        return quota;
      }
    }
    Problem.send(
        context,
        404,
        "Not found",
        "there is no quota "
            + name
            + " in domain "
            + domainName
            + KnownNames.insteadOf(
                name, domain.quotas().stream().map(quota -> quota.id().name()).toList()));
    return null;
  }

  static void noDomain(RoutingContext context, String domain, QuotaBook book) {
    Problem.send(
        context,
        404,
        "Not found",
        "there is no domain " + domain + KnownNames.insteadOf(domain, book.domains().keySet()));
  }

  private static @Nullable QuotaId id(RoutingContext context) {
    String domain = context.pathParam("domain");
    String quota = context.pathParam("quota");
    if (!Names.isDomain(domain) || !Names.isName(quota)) {
      Problem.send(
          context,
          400,
          "Bad name",
          "a domain matches " + Names.DOMAIN_PATTERN + " and a quota " + Names.NAME_PATTERN);
      return null;
    }
    return new QuotaId(domain, quota);
  }

  private static @Nullable Condition condition(RoutingContext context) {
    String match = context.request().getHeader("If-Match");
    String noneMatch = context.request().getHeader("If-None-Match");
    if (noneMatch != null) {
      if (match == null && noneMatch.strip().equals("*")) {
        return new Condition.Absent();
      }
      Problem.send(context, 400, "Bad condition", "If-None-Match can only be *, and stand alone");
      return null;
    }
    if (match == null) {
      return new Condition.None();
    }
    String tag = match.strip();
    if (tag.equals("*")) {
      return new Condition.Exists();
    }
    String number = tag.replaceFirst("^W/", "").replaceAll("^\"|\"$", "");
    // A tag that is none of ours matches nothing.
    return new Condition.Is(number.matches("[0-9]{1,18}") ? Long.parseLong(number) : -1);
  }

  private static boolean isDryRun(RoutingContext context) {
    String dryRun = context.queryParams().get("dryRun");
    return dryRun != null && !dryRun.equals("false");
  }

  private static String body(RoutingContext context) {
    return RequestBody.of(context).toString();
  }

  private static JsonObject json(QuotaSpec quota) {
    return new JsonObject(QuotaFile.toJson(quota));
  }

  private static JsonObject summary(DomainBook domain) {
    JsonObject regions = new JsonObject();
    for (Region region : domain.regions()) {
      regions.put(region.name(), new JsonObject().put("weight", region.weight()));
    }
    return new JsonObject().put("domain", domain.domain()).put("regions", regions);
  }
}
