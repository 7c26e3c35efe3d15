package dev.weir.config;

import java.util.List;

/** A text as a tree that remembers where everything stood. */
sealed interface Node {
  /** Where it begins. */
  Place place();

  /** What it is called in a message. */
  String kind();

  /** A single value, as it was written; {@code empty} if nothing was. */
  record Value(Place place, String text, boolean empty) implements Node {
    @Override
    public String kind() {
      return empty ? "nothing" : "\"" + Quote.shortened(text) + "\"";
    }
  }

  /** A list. */
  record Items(Place place, List<Node> items) implements Node {
    @Override
    public String kind() {
      return "a list";
    }
  }

  /** A mapping, in the order of the text; a key may still stand there twice. */
  record Fields(Place place, List<Field> fields) implements Node {
    @Override
    public String kind() {
      return "a mapping";
    }
  }

  /** One key of a mapping and what it is given. */
  record Field(String key, Place place, Node value) {}
}
