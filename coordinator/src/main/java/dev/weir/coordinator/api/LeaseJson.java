package dev.weir.coordinator.api;

import dev.weir.coordinator.grid.LedgerSeen;
import dev.weir.core.lease.Holder;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.Ledger;
import dev.weir.core.lease.LedgerTerms;
import dev.weir.core.lease.Outstanding;
import dev.weir.core.lease.Part;
import dev.weir.core.math.Nanos;
import dev.weir.core.math.Saturating;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Ledgers as answers. */
final class LeaseJson {
  private static final int BUCKETS_SHOWN = 100;

  private LeaseJson() {}

  /** One bucket, whole. */
  static JsonObject bucket(LedgerSeen seen) {
    Ledger ledger = seen.ledger();
    LedgerTerms terms = ledger.terms();
    JsonArray agents = new JsonArray();
    new TreeMap<>(ledger.holders()).forEach((who, holder) -> agents.add(agent(seen, who, holder)));
    return new JsonObject()
        .put("pool", pool(ledger))
        .put("floors", Amount.share(terms.floors(), terms.perNanos()))
        .put("leased", Amount.share(ledger.accountedAt(seen.nowNanos()), terms.perNanos()))
        .put("learning", ledger.authority().isLearningAt(seen.nowNanos()))
        .put("agents", agents);
  }

  /**
   * All buckets of a quota in sum, and those that lease most. Agents of regions that are not
   * configured hold nothing, and buckets that only they ask about are nobody's.
   */
  static JsonObject sum(Map<BucketId, LedgerSeen> buckets, boolean all) {
    Map<HolderId, Sum> agents = new TreeMap<>();
    List<JsonObject> each = new ArrayList<>();
    buckets.forEach(
        (bucket, seen) -> {
          Map<HolderId, Holder> holders = new TreeMap<>(seen.ledger().holders());
          boolean unasked = holders.isEmpty();
          holders.entrySet().removeIf(entry -> !counts(seen, entry.getKey(), entry.getValue()));
          if (unasked || !holders.isEmpty()) {
            holders.forEach((who, holder) -> agents.merge(who, Sum.of(seen, holder), Sum::plus));
            each.add(line(bucket, seen, holders.size()));
          }
        });
    JsonArray summed = new JsonArray();
    agents.forEach((who, sum) -> summed.add(sum.json(who)));
    JsonArray shown = new JsonArray();
    each.stream()
        .sorted(
            Comparator.comparingDouble(
                    (JsonObject line) -> line.getJsonObject("leased").getDouble("tokensPerSecond"))
                .reversed())
        .limit(BUCKETS_SHOWN)
        .forEach(shown::add);
    return new JsonObject()
        .put("ledgers", each.size())
        .put("complete", all)
        .put("agents", summed)
        .put("buckets", shown);
  }

  /** A region that was taken from the file may hold a lease until that ends. */
  private static boolean counts(LedgerSeen seen, HolderId who, Holder holder) {
    return seen.ledger().terms().regions().containsKey(who.region())
        || !holder.accountedAt(seen.nowNanos()).isZero();
  }

  /** What one agent holds of a quota's buckets, in micro-tokens per second and micro-tokens. */
  private record Sum(long rateMicros, long burstMicros, long demandMicros) {
    static Sum of(LedgerSeen seen, Holder holder) {
      long per = seen.ledger().terms().perNanos();
      Share held = holder.declared().share();
      return new Sum(
          new Rate(held.rateMicros(), per).toPer(Nanos.SECOND_NANOS, false).micros(),
          held.burstMicros(),
          holder.demandMicros());
    }

    Sum plus(Sum other) {
      return new Sum(
          Saturating.plus(rateMicros, other.rateMicros),
          Saturating.plus(burstMicros, other.burstMicros),
          Saturating.plus(demandMicros, other.demandMicros));
    }

    JsonObject json(HolderId who) {
      return new JsonObject()
          .put("region", who.region())
          .put("boot", who.boot())
          .put("held", Amount.share(new Share(rateMicros, burstMicros), Nanos.SECOND_NANOS))
          .put("demand", Amount.perSecond(demandMicros, Nanos.SECOND_NANOS));
    }
  }

  private static JsonObject line(BucketId bucket, LedgerSeen seen, int holders) {
    Ledger ledger = seen.ledger();
    return new JsonObject()
        .put("key", bucket.key())
        .put("leased", Amount.share(ledger.accountedAt(seen.nowNanos()), ledger.terms().perNanos()))
        .put("pool", pool(ledger))
        .put("holders", holders);
  }

  private static JsonObject pool(Ledger ledger) {
    return Amount.share(
            new Share(ledger.pool().rate().micros(), ledger.pool().burstMicros()),
            ledger.terms().perNanos())
        .put("level", Amount.tokens(ledger.pool().levelMicros()));
  }

  private static JsonObject agent(LedgerSeen seen, HolderId who, Holder holder) {
    LedgerTerms terms = seen.ledger().terms();
    long per = terms.perNanos();
    JsonObject json =
        new JsonObject()
            .put("region", who.region())
            .put("boot", who.boot())
            .put("held", Amount.share(holder.declared().at(seen.nowNanos()), per))
            .put("expiresInMs", leftMillis(holder.declared(), seen.nowNanos()))
            .put("level", Amount.tokens(holder.levelMicros()))
            .put("demand", Amount.perSecond(holder.demandMicros(), Nanos.SECOND_NANOS))
            .put("floor", Amount.share(terms.floorOf(who), per))
            .put("heardMsAgo", Nanos.elapsed(holder.heardAtNanos(), seen.nowNanos()) / 1_000_000);
    Outstanding offer = holder.offer();
    if (offer != null) {
      json.put(
          "offered",
          Amount.share(offer.part().at(seen.nowNanos()), per)
              .put("tokens", Amount.tokens(offer.tokensMicros()))
              .put("expiresInMs", leftMillis(offer.part(), seen.nowNanos())));
    }
    return json;
  }

  private static long leftMillis(Part part, long nowNanos) {
    return part.share().isZero() ? 0 : Nanos.elapsed(nowNanos, part.untilNanos()) / 1_000_000;
  }
}
