package dev.weir.coordinator.ctl;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON as trees, numbers as exact as they were written. */
final class Json {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .configure(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN, true)
          .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);

  private Json() {}

  /** Returns a text as a tree, or null where it is not JSON. */
  static @Nullable JsonNode read(String text) {
    try {
      JsonNode tree = MAPPER.readTree(text);
      return tree == null || tree.isMissingNode() ? null : tree;
    } catch (JsonProcessingException notJson) {
      return null;
    }
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  /** Returns a tree as indented text that ends its line. */
  static String text(JsonNode tree) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(tree) + "\n";
    } catch (JsonProcessingException cannotHappen) {
      throw new IllegalStateException("writing a tree", cannotHappen);
    }
  }

  /** Returns a field as text; empty where it is absent. */
  static String string(JsonNode object, String field) {
    return object.path(field).asText("");
  }

  /** Returns the texts of a list; none where it is absent. */
  static List<String> strings(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.asText()));
    return texts;
  }
}
