package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.core.quota.QuotaId;

/** Leases as people read them. */
final class LeaseReport {
  private static final String RATE = "tokensPerSecond";

  private LeaseReport() {}

  /** Returns the report of one bucket, or of all of a quota. */
  static String of(QuotaId quota, JsonNode answer) {
    String head =
        quota
            + ": "
            + Shown.about(answer.path(RATE))
            + "/s, burst "
            + Shown.about(answer.path("burst"));
    return answer.has("buckets") ? head + sum(answer) : head + bucket(answer);
  }

  private static String sum(JsonNode answer) {
    int ledgers = answer.path("ledgers").asInt();
    JsonNode buckets = answer.path("buckets");
    if (ledgers == 0) {
      return " for each bucket\n\nno bucket is leased: regions serve them from their floors\n";
    }
    String least = answer.path("complete").asBoolean(true) ? "; " : "; at least ";
    String largest = buckets.size() < ledgers ? "the " + buckets.size() + " largest:\n" : "";
    return " for each bucket"
        + least
        + QuotaTexts.count(ledgers, "bucket")
        + " leased\n\n"
        + agents(answer.path("agents"))
        + "\n"
        + largest
        + buckets(buckets);
  }

  private static Table agents(JsonNode agents) {
    Table table = new Table().left("AGENT").right("HOLDS/s").right("BURST").right("DEMAND/s");
    for (JsonNode agent : agents) {
      JsonNode held = agent.path("held");
      table.row(
          Agents.name(agent),
          Shown.about(held.path(RATE)),
          Shown.about(held.path("burst")),
          Shown.about(agent.path("demand")));
    }
    return table;
  }

  private static Table buckets(JsonNode buckets) {
    Table table =
        new Table()
            .left("BUCKET")
            .right("LEASED/s")
            .right("BURST")
            .right("POOL/s")
            .right("LEVEL")
            .right("AGENTS");
    for (JsonNode bucket : buckets) {
      JsonNode leased = bucket.path("leased");
      JsonNode pool = bucket.path("pool");
      table.row(
          Json.string(bucket, "key"),
          Shown.about(leased.path(RATE)),
          Shown.about(leased.path("burst")),
          Shown.about(pool.path(RATE)),
          Shown.about(pool.path("level")),
          Shown.exactly(bucket.path("holders")));
    }
    return table;
  }

  private static String bucket(JsonNode answer) {
    String key = Json.string(answer, "key");
    String name = key.isEmpty() ? "\n\n" : "; bucket " + Table.printable(key) + "\n\n";
    if (!answer.has("pool")) {
      return name + "no lease: regions serve it from their floors\n";
    }
    String learning =
        answer.path("learning").asBoolean()
            ? "\nlearning: leases are confirmed, none is raised, until those of the run before have"
                + " ended\n"
            : "";
    return name + holders(answer) + learning;
  }

  /** Pool, floors and leases: rates and bursts add up to the quota's while nothing changes. */
  private static Table holders(JsonNode answer) {
    Table table =
        new Table()
            .left("HOLDER")
            .right("RATE/s")
            .right("BURST")
            .right("LEVEL")
            .right("DEMAND/s")
            .right("EXPIRES IN")
            .right("OWN FLOOR")
            .right("OFFERED")
            .right("HEARD");
    JsonNode pool = answer.path("pool");
    JsonNode floors = answer.path("floors");
    String none = "";
    table.row(
        "pool",
        rate(pool),
        burst(pool),
        Shown.about(pool.path("level")),
        none,
        none,
        none,
        none,
        none);
    table.row("floors", rate(floors), burst(floors), none, none, none, none, none, none);
    for (JsonNode agent : answer.path("agents")) {
      JsonNode held = agent.path("held");
      table.row(
          Agents.name(agent),
          rate(held),
          burst(held),
          Shown.about(agent.path("level")),
          Shown.about(agent.path("demand")),
          isNothing(held) ? "" : Shown.millis(agent.path("expiresInMs")),
          both(agent.path("floor")),
          isSame(held, agent.path("offered")) ? "" : both(agent.path("offered")),
          Agents.ago(agent.path("heardMsAgo")));
    }
    return table;
  }

  private static boolean isNothing(JsonNode share) {
    return share.path(RATE).asDouble() == 0 && share.path("burst").asDouble() == 0;
  }

  /** An offer that changes nothing, as of every renewal, is not worth a look. */
  private static boolean isSame(JsonNode held, JsonNode offered) {
    return rate(held).equals(rate(offered)) && burst(held).equals(burst(offered));
  }

  private static String rate(JsonNode share) {
    return Shown.about(share.path(RATE));
  }

  private static String burst(JsonNode share) {
    return Shown.about(share.path("burst"));
  }

  private static String both(JsonNode share) {
    return share.isObject() ? rate(share) + "/s, " + burst(share) : "";
  }
}
