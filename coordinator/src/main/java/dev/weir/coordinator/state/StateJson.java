package dev.weir.coordinator.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.core.bound.BoundTerm;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.FloorBook;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.protocol.BookJson;
import dev.weir.protocol.Parsed;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the data folder holds, as JSON that a person can read. */
final class StateJson {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(
              new SimpleModule()
                  .addKeyDeserializer(
                      QuotaId.class,
                      new KeyDeserializer() {
                        @Override
                        public QuotaId deserializeKey(String key, DeserializationContext context) {
                          return quotaId(key);
                        }
                      }))
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  private StateJson() {}

  static String of(FloorBook floors) {
    return write(JSON.valueToTree(floors));
  }

  static FloorBook floors(String text, Path path) throws DamagedStateException {
    try {
      return JSON.readValue(text, FloorBook.class);
    } catch (JsonProcessingException wrong) {
      throw new DamagedStateException(path, String.valueOf(wrong.getOriginalMessage()));
    }
  }

  static String of(Identity identity) {
    ObjectNode node = JSON.createObjectNode();
    node.put("cluster", identity.cluster());
    node.put("lost", identity.start() == Desk.Start.LOST_DATA);
    node.put("lostTtlNanos", identity.lostTtlNanos());
    return write(node);
  }

  /** The identity of a run that finds the folder used. */
  static Identity identity(String text, Path path) throws DamagedStateException {
    JsonNode node = tree(text, path);
    boolean lost = node.path("lost").asBoolean();
    String cluster = node.path("cluster").asText();
    if (cluster.isEmpty()) {
      throw new DamagedStateException(path, "it does not name the cluster");
    }
    return new Identity(
        cluster,
        lost ? Desk.Start.LOST_DATA : Desk.Start.AGAIN,
        node.path("lostTtlNanos").asLong());
  }

  static String of(StoredQuotas quotas) {
    ObjectNode node = JSON.createObjectNode();
    node.put("generation", quotas.generation());
    node.set("files", tree(quotas.files()));
    node.set("api", tree(quotas.api()));
    node.set("changedAt", longs(quotas.changedAt()));
    node.set("ttlsNanos", longs(quotas.ttlsNanos()));
    node.set("freshMicros", longs(quotas.freshMicros()));
    node.put("ranSinceLossNanos", quotas.ranSinceLossNanos());
    ArrayNode drained = node.putArray("drained");
    quotas.drained().stream().sorted().forEach(drained::add);
    ArrayNode changes = node.putArray("changes");
    for (StoredQuotas.PastChange change : quotas.changes()) {
      changes
          .addObject()
          .put("quota", change.quota().toString())
          .put("untilMillis", change.untilMillis())
          .set("term", JSON.valueToTree(change.term()));
    }
    return write(node);
  }

  static StoredQuotas quotas(String text, Path path) throws DamagedStateException {
    JsonNode node = tree(text, path);
    try {
      Set<String> drained = new HashSet<>();
      node.path("drained").forEach(region -> drained.add(region.asText()));
      return new StoredQuotas(
          node.path("generation").asLong(),
          domains(node.path("files")),
          domains(node.path("api")),
          longs(node.path("changedAt")),
          longs(node.path("ttlsNanos")),
          longs(node.path("freshMicros")),
          node.path("ranSinceLossNanos").asLong(),
          drained,
          changes(node.path("changes")));
    } catch (IllegalArgumentException | JsonProcessingException wrong) {
      throw new DamagedStateException(path, String.valueOf(wrong.getMessage()));
    }
  }

  private static List<StoredQuotas.PastChange> changes(JsonNode node)
      throws JsonProcessingException {
    List<StoredQuotas.PastChange> changes = new ArrayList<>();
    for (JsonNode change : node) {
      changes.add(
          new StoredQuotas.PastChange(
              quotaId(change.path("quota").asText()),
              JSON.treeToValue(change.path("term"), BoundTerm.class),
              change.path("untilMillis").asLong()));
    }
    return changes;
  }

  private static JsonNode tree(Map<String, DomainBook> domains) {
    try {
      return JSON.readTree(BookJson.encode(new QuotaBook(0, domains)));
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static Map<String, DomainBook> domains(JsonNode node) {
    Parsed<QuotaBook> parsed = BookJson.decode(node.toString());
    if (parsed instanceof Parsed.Message<QuotaBook> book) {
      return book.value().domains();
    }
    throw new IllegalArgumentException(parsed.toString());
  }

  private static ObjectNode longs(Map<QuotaId, Long> values) {
    ObjectNode node = JSON.createObjectNode();
    new TreeMap<>(values).forEach((quota, value) -> node.put(quota.toString(), value));
    return node;
  }

  private static Map<QuotaId, Long> longs(JsonNode node) {
    Map<QuotaId, Long> values = new HashMap<>();
    for (Iterator<Map.Entry<String, JsonNode>> fields = node.fields(); fields.hasNext(); ) {
      Map.Entry<String, JsonNode> field = fields.next();
      values.put(quotaId(field.getKey()), field.getValue().asLong());
    }
    return values;
  }

  private static JsonNode tree(String text, Path path) throws DamagedStateException {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException wrong) {
      throw new DamagedStateException(path, String.valueOf(wrong.getOriginalMessage()));
    }
  }

  private static String write(JsonNode node) {
    try {
      return JSON.writeValueAsString(node) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static QuotaId quotaId(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("not a quota: " + text);
    }
    return new QuotaId(text.substring(0, slash), text.substring(slash + 1));
  }
}
