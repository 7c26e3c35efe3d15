package dev.weir.config;

import dev.weir.core.quota.Names;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What one file says of its domain.
 *
 * @param names of all quotas, also of those that could not be read
 */
record DomainDraft(
    String domain,
    List<Placed<Region>> regions,
    List<Placed<QuotaId>> names,
    List<Placed<QuotaSpec>> quotas) {
  /** Stands for a name that could not be read, so that the rest can be. */
  private static final String NAMELESS = "unnamed";

  /** Something and where it stands. */
  record Placed<T>(T value, Place place) {}

  /** Reads a whole file. */
  static @Nullable DomainDraft read(Node root, Problems problems) {
    Section file = Section.of("a quota file", root, problems);
    if (file == null) {
      return null;
    }
    DomainDraft draft = readIn(file, problems);
    file.close();
    return draft;
  }

  /** Reads a section that may say more than a quota file does. */
  static DomainDraft readIn(Section file, Problems problems) {
    file.require("domain");
    DomainDraft draft =
        new DomainDraft(
            file.value("domain", DomainDraft::domain, NAMELESS),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>());
    draft.readRegions(file);
    Section defaults = file.section("defaults", "defaults");
    LeaseDraft lease = LeaseDraft.OPEN;
    if (defaults != null) {
      lease = LeaseDraft.read(defaults, LeaseDraft.OPEN);
      defaults.close();
    }
    if (!file.has("quotas")) {
      // It may have been cut off, and would then remove every quota that it had.
      problems.error(
          file.place(), file.title() + " says nothing about quotas; `quotas: []` means none");
    }
    for (Node item : file.items("quotas")) {
      draft.readQuota(item, lease, problems);
    }
    return draft;
  }

  private void readRegions(Section file) {
    Section section = file.section("regions", "regions");
    if (section == null) {
      return;
    }
    for (Node.Field entry : section.entries()) {
      Integer weight = weight(entry, section.problems());
      if (!Names.isName(entry.key())) {
        section
            .problems()
            .error(
                entry.place(),
                "region \"" + Quote.shortened(entry.key()) + "\" must match " + Names.NAME_PATTERN,
                asName(entry.key()));
      } else if (weight != null) {
        regions.add(new Placed<>(new Region(entry.key(), weight), entry.place()));
      }
    }
  }

  private static @Nullable Integer weight(Node.Field region, Problems problems) {
    if (region.value() instanceof Node.Value value && value.empty()) {
      return 1;
    }
    Section section = Section.of("region " + region.key(), region.value(), problems);
    if (section == null) {
      return null;
    }
    int before = problems.count();
    Integer weight = section.value("weight", Amounts.whole(1, Region.WEIGHT_MAX), 1);
    section.close();
    return problems.count() == before ? weight : null;
  }

  private void readQuota(Node item, LeaseDraft lease, Problems problems) {
    if (!(item instanceof Node.Fields mapping)) {
      problems.error(item.place(), "a quota must be a mapping, not " + item.kind());
      return;
    }
    Section section = new Section("quota " + nameIn(mapping), mapping, problems);
    section.require("name");
    String name = section.value("name", DomainDraft::name);
    QuotaId id = new QuotaId(domain, name == null ? NAMELESS : name);
    QuotaSpec quota = QuotaReader.read(section, id, lease);
    if (name != null) {
      names.add(new Placed<>(id, section.place("name")));
      if (quota != null) {
        quotas.add(new Placed<>(quota, section.place("name")));
      }
    }
  }

  /** What messages call it, before anything has been checked. */
  static String nameIn(Node.Fields quota) {
    for (Node.Field field : quota.fields()) {
      if (field.key().equals("name") && field.value() instanceof Node.Value value) {
        return Quote.shortened(value.text());
      }
    }
    return "without a name";
  }

  private static String domain(String text) throws BadValue {
    if (!Names.isDomain(text)) {
      throw new BadValue("must match " + Names.DOMAIN_PATTERN);
    }
    return text;
  }

  static String name(String text) throws BadValue {
    if (!Names.isName(text)) {
      throw new BadValue("must match " + Names.NAME_PATTERN, asName(text));
    }
    return text;
  }

  private static @Nullable String asName(String text) {
    String name = text.toLowerCase(Locale.ROOT).replaceAll("[\\s/]+", "-");
    return Names.isName(name) ? name : null;
  }
}
