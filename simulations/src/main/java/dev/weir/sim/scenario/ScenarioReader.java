package dev.weir.sim.scenario;

import dev.weir.config.ConfigException;
import dev.weir.config.Document;
import dev.weir.config.Section;
import dev.weir.config.Values;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.Region;
import dev.weir.sim.replay.Plan;
import dev.weir.sim.replay.Plan.LinkTerms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads scenario files: a quota file with further keys ({@code scenarios/README.md} has them all).
 * What is wrong is said with file, line, column and what was probably meant, all at once.
 */
public final class ScenarioReader {
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long LENGTH_NANOS_MAX = 7L * 24 * 3600 * SECOND_NANOS;
  private static final double PPM = 1e6;

  private ScenarioReader() {}

  /**
   * Reads a text.
   *
   * @param name of the scenario
   * @param source what messages call where the text came from
   * @throws ConfigException with everything that is wrong
   */
  public static Scenario read(String name, String source, String text) {
    return Document.read(source, text, "the scenario", file -> scenario(name, file));
  }

  /**
   * Reads a file.
   *
   * @throws ConfigException with everything that is wrong
   */
  public static Scenario read(Path file) {
    String name = String.valueOf(file.getFileName()).replaceAll("\\.(ya?ml|json)$", "");
    return Document.read(file, "the scenario", section -> scenario(name, section));
  }

  private static @Nullable Scenario scenario(String name, Section file) {
    file.require("description");
    file.require("length");
    file.require("load");
    final String description = file.value("description", Values.text(), "").strip();
    final long length =
        file.value("length", Values.nanos(SECOND_NANOS, LENGTH_NANOS_MAX), SECOND_NANOS);
    final Long slot = file.value("slot", Values.nanos(SECOND_NANOS, LENGTH_NANOS_MAX));
    final int seed = file.value("seed", Values.whole(0, Integer.MAX_VALUE), 1);
    DomainBook domain = file.domain();
    EventsReader events = new EventsReader(domain);
    events.read(file);
    final Map<String, LinkTerms> links = links(file, events);
    final List<Source> sources = LoadReader.read(file, events);
    final Expected expected = expected(file);
    if (domain == null || sources.isEmpty()) {
      return null;
    }
    QuotaBook book = new QuotaBook(1, Map.of(domain.domain(), domain));
    Plan plan =
        new Plan(
            name,
            book,
            LeaseTiming.DEFAULT,
            links,
            chosen ->
                new ScenarioLoad(sources, events.moves(), book, domain.domain(), length, chosen),
            events.moments(),
            length,
            slot == null ? Plan.slotNanos(length) : slot);
    return new Scenario(name, description, plan, seed, expected);
  }

  private static Map<String, LinkTerms> links(Section file, EventsReader events) {
    Map<String, LinkTerms> links = new LinkedHashMap<>();
    file.named("links", "link")
        .forEach(
            (region, link) -> {
              events.check(file, "links", region);
              links.put(region, link(link));
              link.close();
            });
    return links;
  }

  private static LinkTerms link(Section link) {
    LinkTerms usual = LinkTerms.DEFAULT;
    return new LinkTerms(
        link.value("roundTrip", Values.nanos(0, 60 * SECOND_NANOS), usual.roundTripNanos()),
        link.value("jitter", Values.nanos(0, 60 * SECOND_NANOS), usual.jitterNanos()),
        link.value("loss", Values.ppm(), 0) / PPM);
  }

  private static Expected expected(Section file) {
    Section section = file.section("expect", "expect");
    if (section == null) {
      return Expected.BOUND;
    }
    Integer use = section.value("utilisationAtLeast", Values.ppm());
    Integer lessFloors = section.value("utilisationLessQuietFloorsAtLeast", Values.ppm());
    Integer wrong = section.value("falseRefusalsAtMost", Values.ppm());
    Long convergence = section.value("convergenceAtMost", Values.nanos(0, LENGTH_NANOS_MAX));
    Long jain = section.value("jainAtLeast", Values.millionths());
    Expected expected =
        new Expected(
            section.value("boundHeld", Values.truth(), true),
            use == null ? null : use / PPM,
            lessFloors == null ? null : lessFloors / PPM,
            wrong == null ? null : wrong / PPM,
            convergence,
            jain == null ? null : jain / PPM);
    section.close();
    return expected;
  }

  /** The names of regions. */
  static List<String> names(DomainBook domain) {
    List<String> names = new ArrayList<>();
    for (Region region : domain.regions()) {
      names.add(region.name());
    }
    return names;
  }
}
