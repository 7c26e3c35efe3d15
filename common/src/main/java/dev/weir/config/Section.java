package dev.weir.config;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.Rate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One mapping, read key by key. What is wrong with a value is noted and the reading goes on as if
 * it were absent, so that all problems come out at once; keys that nobody asked for are noted at
 * the {@link #close end}. {@link Document} begins one.
 */
public final class Section {
  private final String title;
  private final Place place;
  private final Problems problems;
  private final Map<String, Node.Field> fields = new LinkedHashMap<>();
  private final List<String> known = new ArrayList<>();

  /**
   * Begins to read a mapping.
   *
   * @param title what messages call it: "quota public-api"
   */
  Section(String title, Node.Fields node, Problems problems) {
    this.title = title;
    this.place = node.place();
    this.problems = problems;
    for (Node.Field field : node.fields()) {
      Node.Field first = fields.putIfAbsent(field.key(), field);
      if (first != null) {
        problems.error(
            field.place(),
            "\""
                + Quote.shortened(field.key())
                + "\" is given twice in "
                + title
                + ", first at "
                + first.place());
      }
    }
  }

  /** Returns a mapping as a section, or null, noted, where it is something else. */
  static @Nullable Section of(String title, Node node, Problems problems) {
    if (node instanceof Node.Fields mapping) {
      return new Section(title, mapping, problems);
    }
    problems.error(node.place(), title + " must be a mapping, not " + node.kind());
    return null;
  }

  /** What messages call it. */
  public String title() {
    return title;
  }

  Place place() {
    return place;
  }

  /** Where a key's value stands; where the section does if it has no such key. */
  Place place(String key) {
    Node.Field field = fields.get(key);
    return field == null ? place : field.value().place();
  }

  /** Whether it has such a key. */
  public boolean has(String key) {
    return fields.containsKey(key);
  }

  Problems problems() {
    return problems;
  }

  /** Notes that something is wrong with what stands at a key; with the section, if it has none. */
  public void wrong(String key, String message, @Nullable String suggestion) {
    problems.error(place(key), message, suggestion);
  }

  /** Notes that a value is none of those there are, and which was probably meant. */
  public void unknown(String key, String written, Collection<String> known) {
    wrong(
        key,
        key + ": \"" + Quote.shortened(written) + "\" is none of " + String.join(", ", known),
        Suggestion.near(written, known));
  }

  /** Whether a key's value is a mapping. */
  public boolean isMapping(String key) {
    Node.Field field = fields.get(key);
    return field != null && field.value() instanceof Node.Fields;
  }

  /** Returns the mappings of a list; what is none is noted. One mapping alone is a list of one. */
  public List<Section> sections(String key, String eachTitle) {
    Node node = isMapping(key) ? node(key) : null;
    List<Section> sections = new ArrayList<>();
    for (Node item : node == null ? items(key) : List.of(node)) {
      Section section = of(eachTitle, item, problems);
      if (section != null) {
        sections.add(section);
      }
    }
    return sections;
  }

  /** Returns the mappings in a mapping whose keys are names; what is none is noted. */
  public Map<String, Section> named(String key, String eachTitle) {
    Section all = section(key, key);
    Map<String, Section> named = new LinkedHashMap<>();
    for (Node.Field entry : all == null ? List.<Node.Field>of() : all.entries()) {
      Section section = of(eachTitle + " " + entry.key(), entry.value(), problems);
      if (section != null) {
        named.put(entry.key(), section);
      }
    }
    return named;
  }

  /** Returns the single values in a mapping whose keys are names; what is none is noted. */
  public <T> Map<String, T> values(String key, ValueParser<T> parser) {
    Section all = section(key, key);
    Map<String, T> values = new LinkedHashMap<>();
    for (Node.Field entry : all == null ? List.<Node.Field>of() : all.entries()) {
      T value = parsed(entry.key(), entry.value(), parser);
      if (value != null) {
        values.put(entry.key(), value);
      }
    }
    return values;
  }

  /** Returns the single values of a list; one alone is a list of one; what is none is noted. */
  public <T> List<T> list(String key, ValueParser<T> parser) {
    return Lists.read(this, key, parser);
  }

  /** Returns a limit such as {@code 500/s}, or null where it is absent or, noted, not good. */
  public @Nullable Rate limit(String key) {
    return Limits.read(this, key);
  }

  /**
   * Returns regions, defaults and quotas as a quota file has them, or null where something, noted,
   * is wrong with them.
   */
  public @Nullable DomainBook domain() {
    int before = problems.count();
    DomainDraft draft = DomainDraft.readIn(this, problems);
    if (problems.count() != before) {
      return null;
    }
    return QuotaFile.merge(List.of(draft), problems) instanceof QuotaFile.Accepted accepted
        ? accepted.domains().values().iterator().next()
        : null;
  }

  /** Returns what stands at a key; null where nothing does, which is noted if the key is there. */
  @Nullable Node node(String key) {
    known.add(key);
    Node.Field field = fields.get(key);
    if (field == null) {
      return null;
    }
    if (field.value() instanceof Node.Value value && value.empty()) {
      problems.error(field.place(), key + " has no value");
      return null;
    }
    return field.value();
  }

  /** Notes that a key is missing, unless it is there. */
  public void require(String key) {
    if (!has(key)) {
      problems.error(place, title + " has no \"" + key + "\"");
    }
  }

  /** Returns a single value, or null where it is absent or, noted, not good. */
  public <T> @Nullable T value(String key, ValueParser<T> parser) {
    Node node = node(key);
    return node == null ? null : parsed(key, node, parser);
  }

  /** Returns a single value, or the fallback where it is absent or, noted, not good. */
  public <T> T value(String key, ValueParser<T> parser, T fallback) {
    T value = value(key, parser);
    return value == null ? fallback : value;
  }

  /** Returns what a node means that should be a single value, or null, noted. */
  <T> @Nullable T parsed(String name, Node node, ValueParser<T> parser) {
    if (!(node instanceof Node.Value value)) {
      problems.error(node.place(), name + " must be a single value, not " + node.kind());
      return null;
    }
    try {
      return parser.parse(value.text());
    } catch (BadValue bad) {
      problems.error(
          value.place(),
          name + ": \"" + Quote.shortened(value.text()) + "\" " + bad.reason(),
          bad.suggestion());
      return null;
    }
  }

  /** Returns a section within this one, or null where it is absent or, noted, no mapping. */
  public @Nullable Section section(String key, String itsTitle) {
    Node node = node(key);
    return node == null ? null : of(itsTitle, node, problems);
  }

  /** Returns the items of a list; none where it is absent or, noted, no list. */
  List<Node> items(String key) {
    Node node = node(key);
    if (node instanceof Node.Items list) {
      return list.items();
    }
    if (node != null) {
      problems.error(node.place(), key + " must be a list, not " + node.kind());
    }
    return List.of();
  }

  /** Returns every key with what it is given: for mappings whose keys are names. */
  List<Node.Field> entries() {
    known.addAll(fields.keySet());
    return List.copyOf(fields.values());
  }

  /** Notes every key that was not asked for. */
  public void close() {
    for (Node.Field field : fields.values()) {
      if (!known.contains(field.key())) {
        problems.error(
            field.place(),
            "unknown key \"" + Quote.shortened(field.key()) + "\" in " + title,
            Suggestion.near(field.key(), known));
      }
    }
  }
}
