package dev.weir.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a process as one tree: what its file says, over that the environment, over that
 * the command line. Each value keeps the place it came from.
 */
final class SettingsTree {
  private final Problems problems;
  private Node.Fields root;

  private SettingsTree(Node.Fields root, Problems problems) {
    this.root = root;
    this.problems = problems;
  }

  /** Returns the section to read from. */
  static Section read(
      @Nullable Path file,
      List<Setting> settings,
      Map<String, String> environment,
      Map<String, String> options,
      Problems problems) {
    SettingsTree tree = new SettingsTree(load(file, problems), problems);
    for (Setting setting : settings) {
      String variable = environment.getOrDefault(setting.variable(), "");
      if (!variable.isEmpty()) {
        tree.override(setting, variable, Place.of(setting.variable()));
      }
    }
    List<String> paths = settings.stream().map(Setting::path).toList();
    options.forEach(
        (path, text) -> {
          Place place = Place.of("--" + path);
          int at = paths.indexOf(path);
          if (at < 0) {
            String near = Suggestion.near(path, paths);
            problems.error(place, "unknown setting \"" + Quote.shortened(path) + "\"", near);
          } else {
            tree.override(settings.get(at), text, place);
          }
        });
    return new Section("the configuration", tree.root, problems);
  }

  private static Node.Fields load(@Nullable Path file, Problems problems) {
    Node.Fields none =
        new Node.Fields(Place.of(file == null ? "settings" : file.toString()), List.of());
    if (file == null) {
      return none;
    }
    String text = TextFile.read(file, problems);
    Node node = text == null ? null : NodeReader.read(file.toString(), text, problems);
    if (node instanceof Node.Fields fields) {
      return fields;
    }
    if (node != null) {
      problems.error(node.place(), "the settings must be a mapping, not " + node.kind());
    }
    return none;
  }

  private void override(Setting setting, String text, Place place) {
    Node value = new Node.Value(place, text, false);
    if (setting.list()) {
      List<Node> items = new ArrayList<>();
      for (String item : text.split(",", -1)) {
        items.add(new Node.Value(place, item.strip(), false));
      }
      value = new Node.Items(place, items);
    }
    root = with(root, Arrays.asList(setting.path().split("\\.")), value);
  }

  /** Returns the mapping with a value set, its parents made where there are none. */
  private Node.Fields with(Node.Fields mapping, List<String> path, Node value) {
    String key = path.get(0);
    Node before = null;
    List<Node.Field> fields = new ArrayList<>();
    for (Node.Field field : mapping.fields()) {
      if (field.key().equals(key)) {
        before = field.value();
      } else {
        fields.add(field);
      }
    }
    Node after =
        path.size() == 1
            ? value
            : with(mappingIn(before, key, value.place()), path.subList(1, path.size()), value);
    fields.add(new Node.Field(key, value.place(), after));
    return new Node.Fields(mapping.place(), fields);
  }

  private Node.Fields mappingIn(@Nullable Node before, String key, Place place) {
    if (before instanceof Node.Fields fields) {
      return fields;
    }
    if (before != null && !(before instanceof Node.Value value && value.empty())) {
      problems.error(before.place(), key + " must be a mapping, not " + before.kind());
    }
    return new Node.Fields(place, List.of());
  }
}
