package dev.weir.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * Reads YAML or JSON into a {@link Node}. Not taken: aliases, a second document, and nesting deeper
 * than {@value #DEPTH_MAX}.
 */
final class NodeReader {
  private static final int DEPTH_MAX = 16;
  private static final Pattern JSON_BEGINNING = Pattern.compile("\\s*\\{\\s*[\"}]");

  /** What the JSON parser adds to its messages, of which the numbers are worth keeping. */
  private static final Pattern SOURCE =
      Pattern.compile("\\[Source: [^;]*; (line: \\d+, column: \\d+)\\]");

  private static final JsonFactory JSON = new JsonFactory();
  private static final YAMLFactory YAML = new YAMLFactory();

  private final String file;
  private final String text;
  private final JsonParser parser;
  private final Problems problems;

  private NodeReader(String file, String text, JsonParser parser, Problems problems) {
    this.file = file;
    this.text = text;
    this.parser = parser;
    this.problems = problems;
  }

  /** Returns the tree, or null where the text has none; why not is then among the problems. */
  static @Nullable Node read(String file, String text, Problems problems) {
    // A byte order mark is no part of the text.
    String plain = text.startsWith("\ufeff") ? text.substring(1) : text;
    JsonFactory factory = isJson(file, plain) ? JSON : YAML;
    try (JsonParser parser = factory.createParser(plain)) {
      return new NodeReader(file, plain, parser, problems).document();
    } catch (IOException cannotHappen) {
      throw new IllegalStateException("reading from memory", cannotHappen);
    }
  }

  /** By its name, or else by how it begins: only JSON must quote its keys. */
  private static boolean isJson(String file, String text) {
    if (file.endsWith(".yaml") || file.endsWith(".yml")) {
      return false;
    }
    return file.endsWith(".json") || JSON_BEGINNING.matcher(text).lookingAt();
  }

  private @Nullable Node document() throws IOException {
    try {
      if (parser.nextToken() == null) {
        problems.error(new Place(file, 1, 1), "the file is empty");
        return null;
      }
      Node root = node(0);
      if (parser.nextToken() != null) {
        problems.error(here(), "the file goes on after its end: one document a file");
      }
      return root;
    } catch (TooDeep tooDeep) {
      problems.error(here(), "nested deeper than " + DEPTH_MAX + " levels");
    } catch (JsonProcessingException broken) {
      report(broken);
    }
    return null;
  }

  private Node node(int depth) throws IOException {
    if (depth > DEPTH_MAX) {
      throw new TooDeep();
    }
    Place place = here();
    JsonToken token = parser.currentToken();
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      problems.error(place, "aliases (*" + parser.getText() + ") are not supported");
    }
    if (token == JsonToken.START_OBJECT) {
      return new Node.Fields(place, fields(depth));
    }
    if (token == JsonToken.START_ARRAY) {
      List<Node> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(node(depth + 1));
      }
      return new Node.Items(place, items);
    }
    boolean empty = token == JsonToken.VALUE_NULL;
    return new Node.Value(place, empty ? "" : parser.getText(), empty);
  }

  private List<Node.Field> fields(int depth) throws IOException {
    List<Node.Field> fields = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      Place place = here();
      String key = parser.currentName();
      parser.nextToken();
      fields.add(new Node.Field(key, place, node(depth + 1)));
    }
    return fields;
  }

  private Place here() {
    return place(parser.currentTokenLocation());
  }

  private Place place(@Nullable JsonLocation location) {
    return location == null
        ? new Place(file, 1, 1)
        : new Place(file, Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
  }

  private void report(JsonProcessingException broken) {
    Place place = place(broken.getLocation());
    String first = broken.getOriginalMessage().lines().findFirst().orElse("cannot be read");
    String message = SOURCE.matcher(first).replaceAll("$1");
    if (broken.getCause() instanceof MarkedYAMLException yaml && yaml.getProblemMark() != null) {
      // The message begins with where the parser was; this is what it found, and where.
      Mark mark = yaml.getProblemMark();
      place = new Place(file, mark.getLine() + 1, mark.getColumn() + 1);
      message = yaml.getProblem();
    }
    problems.error(place, message + lineAt(place.line()));
  }

  private String lineAt(int line) {
    return text.lines()
        .skip(line - 1L)
        .findFirst()
        .map(found -> ": \"" + Quote.shortened(found.strip()) + "\"")
        .orElse("");
  }

  private static final class TooDeep extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
