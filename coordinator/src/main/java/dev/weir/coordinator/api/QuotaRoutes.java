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
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Quotas: read, made, changed, removed, checked. */
final class QuotaRoutes {
  private static final String QUOTA = "/v1/domains/:domain/quotas/:quota";
  private static final String DRY_RUN = "dryRun";
  private static final String FILE = "file";

  /** Also as proxies weaken it, and as people type it. */
  private static final Pattern TAG = Pattern.compile("(?:W/)?\"?([!#-+\\--~]+)\"?");

  private final QuotaKeeper keeper;

  QuotaRoutes(QuotaKeeper keeper) {
    this.keeper = keeper;
  }

  void on(Paths paths) {
    paths.read("/v1/domains", this::domains);
    paths.read("/v1/domains/:domain/quotas", this::list);
    paths.read(QUOTA, this::get);
    paths.on(HttpMethod.PUT, QUOTA, this::put, DRY_RUN);
    paths.on(HttpMethod.DELETE, QUOTA, this::remove, DRY_RUN);
    paths.on(HttpMethod.POST, "/v1/config/validate", this::validate, FILE);
    paths.on(HttpMethod.POST, "/v1/config/apply", this::apply, FILE, DRY_RUN);
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
    Boolean dryRun = condition == null ? null : dryRun(context);
    String body = dryRun == null ? null : body(context);
    if (id != null && condition != null && dryRun != null && body != null) {
      boolean isNew = keeper.book().quota(id) == null;
      Answers.when(
          context,
          keeper.put(id, body, condition, dryRun),
          outcome -> Answers.outcome(context, outcome, isNew && !dryRun ? 201 : 200));
    }
  }

  private void remove(RoutingContext context) {
    QuotaId id = id(context);
    Condition condition = id == null ? null : condition(context);
    Boolean dryRun = condition == null ? null : dryRun(context);
    if (id != null && condition != null && dryRun != null) {
      Answers.when(
          context,
          keeper.remove(id, condition, dryRun),
          outcome -> Answers.outcome(context, outcome, 200));
    }
  }

  private void validate(RoutingContext context) {
    change(context, true);
  }

  private void apply(RoutingContext context) {
    Boolean dryRun = dryRun(context);
    if (dryRun != null) {
      change(context, dryRun);
    }
  }

  private void change(RoutingContext context, boolean dryRun) {
    if (context.request().headers().contains(HttpHeaders.IF_MATCH)
        || context.request().headers().contains(HttpHeaders.IF_NONE_MATCH)) {
      Problem.send(
          context,
          400,
          "Bad condition",
          "a whole file has no tag: If-Match and If-None-Match guard a single quota, PUT or DELETE"
              + " of /v1/domains/{d}/quotas/{q}");
      return;
    }
    String body = body(context);
    if (body != null) {
      Answers.when(
          context,
          dryRun ? keeper.validate(fileName(context), body) : keeper.apply(fileName(context), body),
          outcome -> Answers.outcome(context, outcome, 200));
    }
  }

  /** What problems call the text that was sent. */
  private static String fileName(RoutingContext context) {
    String name = Paths.parameter(context, FILE);
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
    String match = only(context, HttpHeaders.IF_MATCH);
    String noneMatch = only(context, HttpHeaders.IF_NONE_MATCH);
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
    Matcher one = TAG.matcher(tag);
    if (!one.matches()) {
      Problem.send(
          context,
          400,
          "Bad condition",
          "If-Match is one tag as an ETag gave it, in quotes, or *: \"" + match + "\"");
      return null;
    }
    String number = one.group(1);
    // A tag that is none of ours matches nothing.
    return new Condition.Is(number.matches("[0-9]{1,18}") ? Long.parseLong(number) : -1);
  }

  /** Several lines of a header are one list. */
  private static @Nullable String only(RoutingContext context, CharSequence header) {
    List<String> lines = context.request().headers().getAll(header);
    return lines.isEmpty() ? null : String.join(", ", lines);
  }

  /** Whether nothing is to be changed; null where that cannot be told, which has been answered. */
  private static @Nullable Boolean dryRun(RoutingContext context) {
    String dryRun = Paths.parameter(context, DRY_RUN);
    if (dryRun == null || dryRun.equals("false")) {
      return false;
    }
    if (dryRun.equals("true")) {
      return true;
    }
    Problem.send(context, 400, "Bad parameter", "dryRun is true or false: \"" + dryRun + "\"");
    return null;
  }

  /** The body as text; null where it is none, which has been answered. */
  private static @Nullable String body(RoutingContext context) {
    byte[] bytes = RequestBody.of(context).getBytes();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      Problem.send(context, 400, "Not text", "the body is not UTF-8");
      return null;
    }
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
