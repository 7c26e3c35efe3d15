package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.config.ConfigException;
import dev.weir.config.QuotaFile;
import dev.weir.core.quota.BucketMatch;
import dev.weir.core.quota.Descriptors;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.Mode;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which quotas of a domain a request counts against. The same matching as in agents decides it.
 *
 * @param domain the domain
 * @param quotas all of them, as the coordinator writes them, by name
 * @param counted narrowest first
 * @param others by name, why each of the others does not count
 */
record Explanation(
    String domain,
    Map<String, JsonNode> quotas,
    List<BucketMatch> counted,
    Map<String, String> others) {
  /** What of a quota has a say in whether and how a request counts against it. */
  private static final List<String> FIELDS =
      List.of("name", "match", "limit", "burst", "maxCost", "enforcement", "mode", "algorithm");

  static Explanation of(String domain, JsonNode quotas, Descriptors request) throws CtlException {
    Map<String, JsonNode> written = new LinkedHashMap<>();
    List<QuotaSpec> specs = new ArrayList<>();
    for (JsonNode named : quotas) {
      QuotaSpec spec = read(new QuotaId(domain, Json.string(named, "name")), named.path("quota"));
      specs.add(spec);
      written.put(spec.id().name(), named.path("quota"));
    }
    QuotaBook book = new QuotaBook(0, Map.of(domain, new DomainBook(domain, List.of(), specs)));
    List<BucketMatch> counted = book.match(domain, request);
    Map<String, String> others =
        specs.stream()
            .filter(spec -> counted.stream().noneMatch(match -> match.quota().equals(spec)))
            .collect(
                Collectors.toMap(
                    spec -> spec.id().name(),
                    spec -> whyNot(spec, request),
                    (one, other) -> one,
                    LinkedHashMap::new));
    return new Explanation(domain, written, counted, others);
  }

  String report(String request) {
    StringBuilder report = new StringBuilder();
    report.append("domain ").append(domain).append(": ").append(Table.printable(request));
    report.append(" counts against ").append(verdict());
    if (!counted.isEmpty()) {
      report.append('\n').append(countedTable());
    }
    if (!others.isEmpty()) {
      Table table = new Table().left("NOT AGAINST").left("BECAUSE");
      others.forEach(table::row);
      report.append('\n').append(table);
    }
    return report.toString();
  }

  ObjectNode json() {
    ObjectNode json = Json.object().put("domain", domain);
    ArrayNode list = json.putArray("counted");
    for (BucketMatch match : counted) {
      ObjectNode one = list.addObject();
      one.put("bucket", match.bucket().key());
      one.set("quota", quotas.get(match.quota().id().name()));
    }
    ArrayNode rest = json.putArray("others");
    others.forEach((name, why) -> rest.addObject().put("name", name).put("because", why));
    return json;
  }

  private String verdict() {
    if (counted.isEmpty()) {
      return "no quota: always admitted\n";
    }
    boolean some = counted.stream().anyMatch(match -> match.quota().mode() == Mode.SHADOW);
    return QuotaTexts.count(counted.size(), "quota")
        + (counted.size() > 1 ? ", and all must admit it" : "")
        + (some ? " (one in shadow only counts, and refuses nothing)" : "")
        + "\n";
  }

  private Table countedTable() {
    Table table =
        new Table()
            .left("QUOTA")
            .left("BUCKET")
            .right("LIMIT")
            .right("BURST")
            .right("MAX COST")
            .left("ENFORCEMENT")
            .left("MODE");
    for (BucketMatch match : counted) {
      JsonNode quota = quotas.getOrDefault(match.quota().id().name(), Json.object());
      String key = match.bucket().key();
      table.row(
          match.quota().id().name(),
          key.isEmpty() ? "(the only one)" : key,
          Quotas.limit(quota),
          Shown.exactly(quota.path("burst")),
          Shown.exactly(quota.path("maxCost")),
          Json.string(quota, "enforcement"),
          Json.string(quota, "mode"));
    }
    return table;
  }

  private static QuotaSpec read(QuotaId id, JsonNode quota) throws CtlException {
    ObjectNode known = Json.object();
    FIELDS.stream().filter(quota::has).forEach(field -> known.set(field, quota.get(field)));
    try {
      return QuotaFile.readQuota(id, id.toString(), known.toString());
    } catch (ConfigException | IllegalArgumentException newer) {
      throw CtlException.refused(
          "this version of weir ctl does not understand quota " + id + ": " + newer.getMessage());
    }
  }

  private static String whyNot(QuotaSpec quota, Descriptors request) {
    for (Match condition : quota.match()) {
      String value = request.value(condition.key());
      if (value == null) {
        return "there is no " + condition.key();
      }
      if (!condition.isFree() && !value.equals(condition.value())) {
        return condition.key() + " is " + value + ", not " + condition.value();
      }
    }
    return quota.mode() == Mode.OFF ? "its mode is off" : "it does not match";
  }
}
