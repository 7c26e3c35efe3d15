package dev.weir.coordinator.api;

import dev.weir.config.ClockSettings;
import dev.weir.coordinator.desk.FrontDesk;
import dev.weir.coordinator.quotas.QuotaKeeper;
import dev.weir.core.bound.AdmissionBound;
import dev.weir.core.bound.BoundTerm;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.BucketKey;
import dev.weir.core.quota.BucketMatch;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.FloorSplit;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who holds what of a quota, what it may admit at most, and what a request counts against. */
final class LeaseRoutes {
  private static final String KEY = "key";
  private static final String DESCRIPTORS = "d.";
  private static final int BUCKETS_MAX = 10_000;

  private final FrontDesk desk;
  private final QuotaKeeper keeper;
  private final ClockSettings clock;

  LeaseRoutes(FrontDesk desk, QuotaKeeper keeper, ClockSettings clock) {
    this.desk = desk;
    this.keeper = keeper;
    this.clock = clock;
  }

  void on(Paths paths) {
    paths.read("/v1/domains/:domain/quotas/:quota/leases", this::leases, KEY);
    paths.read("/v1/domains/:domain/quotas/:quota/bound", this::bound);
    paths.read("/v1/domains/:domain/explain", this::explain, DESCRIPTORS);
  }

  private void leases(RoutingContext context) {
    QuotaSpec quota = QuotaRoutes.quota(context, keeper);
    if (quota == null) {
      return;
    }
    if (!quota.isLeased()) {
      Problem.send(
          context, 409, "Not leased", "quota " + quota.id() + " is strict: agents ask Redis");
      return;
    }
    String key = Paths.parameter(context, KEY);
    boolean oneBucket = quota.match().stream().noneMatch(Match::isFree);
    if (key != null || oneBucket) {
      String canonical = canonical(context, quota, key == null ? "" : key);
      if (canonical != null) {
        oneBucket(context, quota, canonical);
      }
      return;
    }
    // Finding the buckets asks every partition: not on an event loop.
    context
        .vertx()
        .executeBlocking(() -> sum(quota.id()), false)
        .onSuccess(sum -> Answers.json(context, head(quota).mergeIn(sum)))
        .onFailure(failure -> Answers.failed(context, failure));
  }

  private JsonObject sum(QuotaId quota) {
    List<BucketId> buckets = desk.ledgers().buckets(quota, BUCKETS_MAX);
    return LeaseJson.sum(desk.ledgers().seen(buckets), buckets.size() < BUCKETS_MAX);
  }

  private void oneBucket(RoutingContext context, QuotaSpec quota, String key) {
    Answers.when(
        context,
        desk.ledgers().peek(new BucketId(quota.id(), key)),
        seen -> {
          JsonObject head = head(quota).put("key", key);
          if (seen == null) {
            head.put("ledgers", 0)
                .put("agents", new JsonArray())
                .put(
                    "note",
                    "no agent has asked about this bucket lately: regions serve it from their"
                        + " floors");
          } else {
            head.put("ledgers", 1).mergeIn(LeaseJson.bucket(seen));
          }
          Answers.json(context, head);
        });
  }

  private JsonObject head(QuotaSpec quota) {
    JsonObject head =
        new JsonObject()
            .put("domain", quota.id().domain())
            .put("quota", quota.id().name())
            .put("tokensPerSecond", Amount.perSecond(quota.rate()))
            .put("burst", Amount.tokens(quota.burstMicros()));
    LedgerTerms terms = desk.terms(quota.id());
    if (terms != null) {
      head.put("slow", terms.isSlow());
    }
    desk.untouchedMicros(quota.id())
        .ifPresent(micros -> head.put("untouched", Amount.tokens(micros)));
    return head;
  }

  /** A key that no bucket of the quota has would look like one that nobody has asked about. */
  private static @Nullable String canonical(RoutingContext context, QuotaSpec quota, String key) {
    Set<String> free = new TreeSet<>();
    quota.match().stream().filter(Match::isFree).forEach(match -> free.add(match.key()));
    String why;
    try {
      Descriptors descriptors = BucketKey.decode(key);
      if (descriptors.asMap().keySet().equals(free)) {
        return BucketKey.encode(descriptors);
      }
      why = "\"" + key + "\"";
    } catch (IllegalArgumentException notCanonical) {
      why = String.valueOf(notCanonical.getMessage());
    }
    Problem.send(
        context,
        400,
        "Bad key",
        free.isEmpty()
            ? "quota " + quota.id() + " has one bucket only: leave key out"
            : "key is "
                + String.join("=VALUE,", free)
                + "=VALUE, percent-encoded, for the buckets of "
                + quota.id()
                + ": "
                + why);
    return null;
  }

  private void bound(RoutingContext context) {
    QuotaSpec quota = QuotaRoutes.quota(context, keeper);
    if (quota == null) {
      return;
    }
    AdmissionBound bound =
        AdmissionBound.of(quota, regions(quota.id()), clock.driftPpm(), clock.guardNanos());
    for (BoundTerm term : keeper.changeTerms(quota.id())) {
      bound = bound.plus(term);
    }
    JsonArray terms = new JsonArray();
    bound.terms().forEach(term -> terms.add(json(term)));
    Answers.json(
        context,
        new JsonObject()
            .put("domain", quota.id().domain())
            .put("quota", quota.id().name())
            .put("rate", Amount.perSecond(bound.rate()))
            .put("burst", Amount.tokens(bound.burstMicros()))
            .put("drift", bound.driftPpm() / 1e6)
            .put("bounded", bound.bounded())
            .put(
                "formula",
                "in any window of t seconds, all regions together admit at most burst + rate * (1 +"
                    + " drift) * t per bucket, and the terms whose cause was at work in it")
            .put("terms", terms));
  }

  private static JsonObject json(BoundTerm term) {
    return new JsonObject()
        .put("cause", term.cause())
        .put("tokensOnce", Amount.tokens(term.onceMicros()))
        .put("tokensPerSecond", Amount.perSecond(term.rate()))
        .put("bounded", term.bounded())
        .put("note", term.note());
  }

  private void explain(RoutingContext context) {
    String name = context.pathParam("domain");
    QuotaBook book = keeper.book();
    if (!book.domains().containsKey(name)) {
      QuotaRoutes.noDomain(context, name, book);
      return;
    }
    Descriptors descriptors;
    try {
      descriptors = descriptors(context);
    } catch (IllegalArgumentException wrong) {
      Problem.send(context, 400, "Bad descriptors", String.valueOf(wrong.getMessage()));
      return;
    }
    JsonArray quotas = new JsonArray();
    for (BucketMatch match : book.match(name, descriptors)) {
      quotas.add(explained(match.quota(), match.bucket().key()));
    }
    Answers.json(
        context,
        new JsonObject()
            .put("domain", name)
            .put("descriptors", descriptors.toString())
            .put("quotas", quotas)
            .put(
                "note",
                quotas.isEmpty()
                    ? "no quota matches: such a request is always admitted"
                    : "admitted only if every one of these quotas has the tokens"));
  }

  private JsonObject explained(QuotaSpec quota, String key) {
    JsonObject floors = new JsonObject();
    FloorSplit.of(quota, regions(quota.id()))
        .forEach(
            (region, share) -> floors.put(region, Amount.share(share, quota.rate().perNanos())));
    JsonObject json =
        new JsonObject()
            .put("quota", quota.id().name())
            .put("key", key)
            .put("tokensPerSecond", Amount.perSecond(quota.rate()))
            .put("burst", Amount.tokens(quota.burstMicros()))
            .put("maxCost", Amount.tokens(quota.maxCostMicros()))
            .put("enforcement", quota.enforcement().name().toLowerCase(Locale.ROOT))
            .put("mode", quota.mode().name().toLowerCase(Locale.ROOT))
            .put("source", keeper.source(quota.id()));
    return quota.isLeased() ? json.put("floors", floors) : json;
  }

  /** {@code ?d.tenant=acme&d.api=public}. */
  private static Descriptors descriptors(RoutingContext context) {
    Map<String, String> pairs = new HashMap<>();
    Paths.parameters(context)
        .forEach((name, value) -> pairs.put(name.substring(DESCRIPTORS.length()), value));
    return Descriptors.of(pairs);
  }

  private List<Region> regions(QuotaId quota) {
    DomainBook domain = keeper.book().domains().get(quota.domain());
    return domain == null ? List.of() : domain.regions();
  }
}
