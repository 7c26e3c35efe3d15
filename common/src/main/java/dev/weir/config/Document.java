package dev.weir.config;

import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A YAML or JSON text that is one mapping, read with all its problems at once. */
public final class Document {
  private Document() {}

  /**
   * Reads a text.
   *
   * @param name what messages call where it came from
   * @param title what messages call the mapping: "the scenario"
   * @param reader reads the mapping, and may return null where it has noted a problem
   * @throws ConfigException with everything that is wrong, unknown keys included
   */
  public static <T> T read(
      String name, String text, String title, Function<Section, @Nullable T> reader) {
    return read(name, text, title, reader, new Problems());
  }

  /**
   * Reads a file.
   *
   * @throws ConfigException with everything that is wrong, unknown keys included
   */
  public static <T> T read(Path file, String title, Function<Section, @Nullable T> reader) {
    Problems problems = new Problems();
    String text = TextFile.read(file, problems);
    problems.throwIfAny();
    return read(file.toString(), text == null ? "" : text, title, reader, problems);
  }

  private static <T> T read(
      String name,
      String text,
      String title,
      Function<Section, @Nullable T> reader,
      Problems problems) {
    Node root = NodeReader.read(name, text, problems);
    Section section = root == null ? null : Section.of(title, root, problems);
    T value = section == null ? null : reader.apply(section);
    if (section != null) {
      section.close();
    }
    problems.throwIfAny();
    if (value == null) {
      throw new AssertionError("neither a value nor a problem: " + name);
    }
    return value;
  }
}
