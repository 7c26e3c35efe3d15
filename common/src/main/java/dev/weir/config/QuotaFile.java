package dev.weir.config;

import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Quota files: YAML or JSON that says which quotas there are, read into validated records or
 * refused with every problem at once.
 *
 * <p>A file is of one domain, and a domain may have several files: its regions may stand in any of
 * them, each quota in one. What a file's {@code defaults} say goes for the quotas of that file.
 * Every file has a key {@code quotas}, if only with an empty list: so one cut off before it is
 * refused, and not taken for one that removes its quotas.
 */
public final class QuotaFile {
  private QuotaFile() {}

  /** A text, and what messages call where it came from. */
  public record Source(String name, String text) {}

  /** What reading came to. */
  public sealed interface Outcome {
    /** Returns what is worth saying though it is not wrong, in the order of the text. */
    List<ConfigProblem> warnings();
  }

  /**
   * The files are good.
   *
   * @param domains by name
   * @param places where each quota stands
   */
  public record Accepted(
      Map<String, DomainBook> domains, Map<QuotaId, Place> places, List<ConfigProblem> warnings)
      implements Outcome {}

  /**
   * The files are not good, and nothing of them counts.
   *
   * @param problems at least one, in the order of the text
   */
  public record Refused(List<ConfigProblem> problems, List<ConfigProblem> warnings)
      implements Outcome {}

  /** Reads one text: JSON or YAML by the ending of its name, else by how it begins. */
  public static Outcome read(String name, String text) {
    return read(List.of(new Source(name, text)));
  }

  /** Reads several texts as one. */
  public static Outcome read(List<Source> sources) {
    return read(sources, new Problems());
  }

  static Outcome read(List<Source> sources, Problems problems) {
    List<DomainDraft> drafts = new ArrayList<>();
    for (Source source : sources) {
      Node root = NodeReader.read(source.name(), source.text(), problems);
      DomainDraft draft = root == null ? null : DomainDraft.read(root, problems);
      if (draft != null) {
        drafts.add(draft);
      }
    }
    return merge(drafts, problems);
  }

  /**
   * Reads a single quota, as it stands in the list of a file; {@code name} may be left out.
   *
   * @throws ConfigException if something is wrong with it, or it has another name
   */
  public static QuotaSpec readQuota(QuotaId id, String name, String text) {
    Problems problems = new Problems();
    Node root = NodeReader.read(name, text, problems);
    Section section = root == null ? null : Section.of("quota " + id.name(), root, problems);
    QuotaSpec quota = null;
    if (section != null) {
      section.value("name", written -> sameName(id, written));
      quota = QuotaReader.read(section, id, LeaseDraft.OPEN);
    }
    problems.throwIfAny();
    if (quota == null) {
      throw new AssertionError("neither a quota nor a problem: " + text);
    }
    return quota;
  }

  /** Returns a quota as JSON that {@link #readQuota} reads back to the same. */
  public static String toJson(QuotaSpec quota) {
    return QuotaWriter.json(quota);
  }

  /** Returns a quota as YAML that {@link #readQuota} reads back to the same. */
  public static String toYaml(QuotaSpec quota) {
    return QuotaWriter.yaml(quota);
  }

  /** Returns a domain as a YAML file that {@link #read(String, String)} reads back to the same. */
  public static String toYaml(DomainBook domain) {
    return QuotaWriter.yaml(domain);
  }

  /**
   * Returns what is worth saying about a domain: quotas too small for floors, unbounded policies.
   */
  public static List<ConfigProblem> warnings(DomainBook domain) {
    Problems problems = new Problems();
    Warnings.of(domain, Map.of(), problems);
    return problems.warnings();
  }

  static Outcome merge(List<DomainDraft> drafts, Problems problems) {
    Map<String, Map<String, DomainDraft.Placed<Region>>> regions = new TreeMap<>();
    Map<String, List<QuotaSpec>> quotas = new HashMap<>();
    Map<QuotaId, Place> places = new HashMap<>();
    for (DomainDraft draft : drafts) {
      mergeRegions(draft, regions.computeIfAbsent(draft.domain(), d -> new TreeMap<>()), problems);
      noteNamesGivenTwice(draft, places, problems);
      List<QuotaSpec> all = quotas.computeIfAbsent(draft.domain(), d -> new ArrayList<>());
      draft.quotas().forEach(quota -> all.add(quota.value()));
    }
    if (problems.count() > 0) {
      return new Refused(problems.errors(), problems.warnings());
    }
    Map<String, DomainBook> domains = new TreeMap<>();
    regions.forEach(
        (domain, its) ->
            domains.put(
                domain,
                new DomainBook(
                    domain, regions(its.values()), quotas.getOrDefault(domain, List.of()))));
    domains.values().forEach(domain -> Warnings.of(domain, places, problems));
    return new Accepted(
        Collections.unmodifiableMap(domains), Map.copyOf(places), problems.warnings());
  }

  private static void mergeRegions(
      DomainDraft draft, Map<String, DomainDraft.Placed<Region>> into, Problems problems) {
    for (DomainDraft.Placed<Region> region : draft.regions()) {
      DomainDraft.Placed<Region> first = into.putIfAbsent(region.value().name(), region);
      if (first != null && first.value().weight() != region.value().weight()) {
        problems.error(
            region.place(),
            "region "
                + region.value().name()
                + " has weight "
                + region.value().weight()
                + " here, and "
                + first.value().weight()
                + " at "
                + first.place());
      }
    }
  }

  private static void noteNamesGivenTwice(
      DomainDraft draft, Map<QuotaId, Place> places, Problems problems) {
    for (DomainDraft.Placed<QuotaId> name : draft.names()) {
      Place first = places.putIfAbsent(name.value(), name.place());
      if (first != null) {
        problems.error(
            name.place(), "quota " + name.value().name() + " stands twice, first at " + first);
      }
    }
  }

  private static List<Region> regions(Collection<DomainDraft.Placed<Region>> placed) {
    return placed.stream().map(DomainDraft.Placed::value).toList();
  }

  private static String sameName(QuotaId id, String written) throws BadValue {
    if (!written.equals(id.name())) {
      throw new BadValue("is not the name of this quota, " + id.name());
    }
    return written;
  }
}
