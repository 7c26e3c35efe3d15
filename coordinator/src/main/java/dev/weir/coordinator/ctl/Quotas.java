package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code weir ctl quotas}: the quotas in force. */
@Command(name = "quotas", description = "Lists the quotas in force, and where each comes from.")
final class Quotas implements Callable<Integer> {
  private final Ctl ctl;

  Quotas(Ctl ctl) {
    this.ctl = ctl;
  }

  @Override
  public Integer call() throws CtlException, InterruptedException {
    Catalogue catalogue = new Catalogue(ctl.coordinator(), ctl.domain());
    ArrayNode quotas = Json.array();
    for (String domain : catalogue.domains()) {
      for (JsonNode quota : catalogue.quotas(domain)) {
        ObjectNode named = Json.object().put("domain", domain);
        quota.properties().forEach(field -> named.set(field.getKey(), field.getValue()));
        quotas.add(named);
      }
    }
    if (ctl.isForPeople()) {
      ctl.print(quotas.isEmpty() ? "no quotas: weir ctl apply FILE\n" : table(quotas).toString());
    } else {
      ObjectNode answer = Json.object();
      answer.set("quotas", quotas);
      ctl.print(answer);
    }
    return 0;
  }

  private static Table table(ArrayNode quotas) {
    Table table =
        new Table()
            .left("QUOTA")
            .left("MATCH")
            .right("LIMIT")
            .right("BURST")
            .right("MAX COST")
            .left("ENFORCEMENT")
            .left("MODE")
            .right("FLOOR")
            .left("FROM");
    for (JsonNode named : quotas) {
      JsonNode quota = named.path("quota");
      table.row(
          Json.string(named, "domain") + "/" + Json.string(named, "name"),
          match(quota),
          limit(quota),
          Shown.exactly(quota.path("burst")),
          Shown.exactly(quota.path("maxCost")),
          Json.string(quota, "enforcement"),
          Json.string(quota, "mode"),
          Shown.exactly(quota.path("lease").path("floor")),
          Json.string(named, "source"));
    }
    return table;
  }

  /** Returns the conditions: {@code api=public, tenant=*}, a star for any value. */
  static String match(JsonNode quota) {
    List<String> conditions = new ArrayList<>();
    for (JsonNode condition : quota.path("match")) {
      String key = Json.string(condition, "key");
      JsonNode value = condition.path("value");
      conditions.add(key + "=" + (value.isTextual() ? value.asText() : "*"));
    }
    return conditions.isEmpty() ? "every request" : String.join(", ", conditions);
  }

  /** Returns the limit as one word: {@code 6000/min}, {@code 6000/90s}. */
  static String limit(JsonNode quota) {
    JsonNode limit = quota.path("limit");
    return limit.isObject()
        ? Shown.exactly(limit.path("tokens")) + "/" + Json.string(limit, "per")
        : limit.asText("");
  }
}
