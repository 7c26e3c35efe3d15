package dev.weir.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists of single values; one value alone is a list of one. */
final class Lists {
  private Lists() {}

  /** Returns the values at a key that are good; what is not is noted. */
  static <T> List<T> read(Section section, String key, ValueParser<T> parser) {
    Node node = section.node(key);
    List<T> values = new ArrayList<>();
    for (Node item : node instanceof Node.Items list ? list.items() : single(node)) {
      T value = section.parsed(key, item, parser);
      if (value != null) {
        values.add(value);
      }
    }
    return values;
  }

  private static List<Node> single(@Nullable Node node) {
    return node == null ? List.of() : List.of(node);
  }
}
