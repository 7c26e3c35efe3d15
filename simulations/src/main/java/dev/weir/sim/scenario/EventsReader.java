package dev.weir.sim.scenario;

import dev.weir.config.Section;
import dev.weir.config.Values;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Tokens;
import dev.weir.sim.replay.Incident;
import dev.weir.sim.replay.Incident.AgentFate;
import dev.weir.sim.replay.Plan.Moment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the {@code events} of a scenario: each has an instant, and one thing that happens then. */
final class EventsReader {
  private static final long SECOND_NANOS = 1_000_000_000;
  private static final long LONGEST_NANOS = 7L * 24 * 3600 * SECOND_NANOS;
  private static final double PPM = 1e6;
  private static final List<String> KINDS =
      List.of(
          "shift",
          "cut",
          "heal",
          "link",
          "crash",
          "leave",
          "start",
          "restart",
          "coordinator",
          "quota",
          "addRegion",
          "removeRegion",
          "drain",
          "undrain");

  /** Which way of a link is cut. */
  private enum Way {
    BOTH,
    UP,
    DOWN
  }

  private enum Fate {
    CRASH,
    START
  }

  private final Set<String> regions = new TreeSet<>();
  private final List<Moment> moments = new ArrayList<>();
  private final List<Move> moves = new ArrayList<>();
  private @Nullable DomainBook domain;
  private long generation = 1;
  private long atNanos;

  EventsReader(@Nullable DomainBook domain) {
    this.domain = domain;
    if (domain != null) {
      regions.addAll(ScenarioReader.names(domain));
    }
  }

  /** What happens, in the order of the file, which is that of time. */
  List<Moment> moments() {
    return List.copyOf(moments);
  }

  /** The load that moves. */
  List<Move> moves() {
    return List.copyOf(moves);
  }

  void read(Section file) {
    for (Section event : file.sections("events", "an event")) {
      long before = atNanos;
      event.require("at");
      atNanos = event.value("at", Values.nanos(0, LONGEST_NANOS), before);
      if (atNanos < before) {
        event.wrong("at", "events must be in the order of time", null);
      }
      Set<String> said = new LinkedHashSet<>();
      for (String kind : KINDS) {
        if (event.has(kind)) {
          said.add(kind);
          read(kind, event);
        } else {
          // A key that is asked for is a key that is known.
          event.value(kind, Values.text());
        }
      }
      event.close();
      if (said.size() > 1) {
        event.wrong("at", "one thing for each event, not " + said, null);
      }
    }
  }

  /** Notes a region that there never is. */
  void check(Section section, String key, String region) {
    if (domain != null && !regions.contains(region)) {
      section.unknown(key, region, regions);
    }
  }

  private void read(String kind, Section event) {
    switch (kind) {
      case "shift" -> shift(event);
      case "cut" -> cut(event);
      case "heal" -> heal(event);
      case "link" -> link(event);
      case "restart" -> restart(event);
      case "coordinator" -> coordinator(event);
      case "quota" -> quota(event);
      case "addRegion" -> addRegion(event);
      case "removeRegion" -> removeRegion(event);
      case "drain", "undrain" -> {
        String region = region(event, kind);
        boolean on = kind.equals("drain");
        add(
            new Incident.Drain(
                region, on, region + (on ? " is drained" : " is no longer drained")));
      }
      default -> agent(event, kind);
    }
  }

  private void add(Incident incident) {
    moments.add(new Moment(atNanos, incident));
  }

  private String region(Section section, String key) {
    String region = section.value(key, Values.text(), "");
    if (!region.isEmpty()) {
      check(section, key, region);
    }
    return region;
  }

  // ------------------------------------------------------------------------------ load

  private void shift(Section event) {
    Section shift = event.section("shift", "shift");
    if (shift == null) {
      return;
    }
    shift.require("from");
    shift.require("to");
    String from = region(shift, "from");
    String to = region(shift, "to");
    long overNanos = shift.value("over", Values.nanos(0, LONGEST_NANOS), 0L);
    int share = shift.value("share", Values.ppm(), 1_000_000);
    shift.close();
    moves.add(new Move(atNanos, from, to, overNanos, share / PPM));
    String text = Tokens.text(share * 100L) + " % of " + from + " moves to " + to;
    add(new Incident.Shift(from, to, text));
  }

  // ------------------------------------------------------------------------------ links

  private void cut(Section event) {
    String region = region(event, "cut");
    Way way = event.value("way", Values.word(Way.class), Way.BOTH);
    String which =
        switch (way) {
          case BOTH -> "";
          case UP -> ": its requests are lost";
          case DOWN -> ": answers to it are lost";
        };
    add(
        new Incident.LinkChange(
            region,
            way != Way.DOWN,
            way != Way.UP,
            null,
            null,
            null,
            region + " is cut off" + which));
  }

  private void heal(Section event) {
    String region = region(event, "heal");
    add(
        new Incident.LinkChange(
            region, false, false, null, null, null, region + " is connected again"));
  }

  private void link(Section event) {
    Section link = event.section("link", "link");
    if (link == null) {
      return;
    }
    link.require("region");
    String region = region(link, "region");
    Long roundTrip = link.value("roundTrip", Values.nanos(0, 60 * SECOND_NANOS));
    Long jitter = link.value("jitter", Values.nanos(0, 60 * SECOND_NANOS));
    Integer loss = link.value("loss", Values.ppm());
    link.close();
    StringBuilder text = new StringBuilder("link of ").append(region).append(':');
    if (roundTrip != null) {
      text.append(" round trip ").append(roundTrip / 1_000_000).append(" ms");
    }
    if (jitter != null) {
      text.append(" jitter ").append(jitter / 1_000_000).append(" ms");
    }
    if (loss != null) {
      text.append(" loss ").append(Tokens.text(loss * 100L)).append(" %");
    }
    add(
        new Incident.LinkChange(
            region,
            null,
            null,
            roundTrip == null ? null : roundTrip / 2,
            jitter,
            loss == null ? null : loss / PPM,
            text.toString()));
  }

  // ------------------------------------------------------------------------------ machines

  private void agent(Section event, String kind) {
    String region = region(event, kind);
    AgentFate fate =
        switch (kind) {
          case "crash" -> AgentFate.CRASHES;
          case "leave" -> AgentFate.LEAVES;
          default -> AgentFate.STARTS;
        };
    add(new Incident.Agent(region, fate, "agent of " + region + text(fate)));
  }

  private static String text(AgentFate fate) {
    return switch (fate) {
      case CRASHES -> " crashes";
      case LEAVES -> " shuts down";
      case STARTS -> " starts";
    };
  }

  private void restart(Section event) {
    String region = region(event, "restart");
    long downNanos = event.value("down", Values.nanos(0, LONGEST_NANOS), 2 * SECOND_NANOS);
    add(new Incident.Agent(region, AgentFate.LEAVES, "agent of " + region + " restarts"));
    moments.add(
        new Moment(
            atNanos + downNanos,
            new Incident.Agent(region, AgentFate.STARTS, "agent of " + region + " is back")));
  }

  private void coordinator(Section event) {
    Fate fate = event.value("coordinator", Values.word(Fate.class));
    if (fate != null) {
      boolean up = fate == Fate.START;
      add(new Incident.Coordinator(up, "coordinator " + (up ? "starts" : "crashes")));
    }
  }

  // ------------------------------------------------------------------------------ quotas

  private void quota(Section event) {
    Section change = event.section("quota", "quota");
    DomainBook before = domain;
    if (change == null || before == null) {
      return;
    }
    change.require("name");
    String name = change.value("name", Values.text(), "");
    Rate rate = change.limit("limit");
    Long burst = change.value("burst", Values.millionths());
    Long maxCost = change.value("maxCost", Values.millionths());
    change.close();
    List<QuotaSpec> quotas = new ArrayList<>();
    boolean found = false;
    for (QuotaSpec quota : before.quotas()) {
      boolean its = quota.id().name().equals(name);
      found |= its;
      quotas.add(its ? changed(change, quota, rate, burst, maxCost) : quota);
    }
    if (!found) {
      change.unknown(
          "name", name, before.quotas().stream().map(quota -> quota.id().name()).toList());
      return;
    }
    adopt(new DomainBook(before.domain(), before.regions(), quotas), "quota " + name + " changes");
  }

  private static QuotaSpec changed(
      Section change,
      QuotaSpec quota,
      @Nullable Rate rate,
      @Nullable Long burst,
      @Nullable Long maxCost) {
    try {
      long burstMicros = burst == null ? quota.burstMicros() : burst;
      long costMicros = maxCost == null ? Math.min(quota.maxCostMicros(), burstMicros) : maxCost;
      return quota.withLimit(rate == null ? quota.rate() : rate, burstMicros, costMicros);
    } catch (IllegalArgumentException impossible) {
      change.wrong("name", String.valueOf(impossible.getMessage()), null);
      return quota;
    }
  }

  private void addRegion(Section event) {
    Section add = event.section("addRegion", "addRegion");
    DomainBook before = domain;
    if (add == null || before == null) {
      return;
    }
    add.require("name");
    String name = add.value("name", Values.text(), "");
    int weight = add.value("weight", Values.whole(1, Region.WEIGHT_MAX), 1);
    add.close();
    List<Region> more = new ArrayList<>(before.regions());
    try {
      more.add(new Region(name, weight));
      regions.add(name);
      adopt(new DomainBook(before.domain(), more, before.quotas()), "region " + name + " joins");
      add(new Incident.Agent(name, AgentFate.STARTS, "agent of " + name + " starts"));
    } catch (IllegalArgumentException impossible) {
      add.wrong("name", String.valueOf(impossible.getMessage()), null);
    }
  }

  private void removeRegion(Section event) {
    String name = region(event, "removeRegion");
    DomainBook before = domain;
    if (before == null) {
      return;
    }
    List<Region> fewer =
        before.regions().stream().filter(region -> !region.name().equals(name)).toList();
    add(new Incident.Agent(name, AgentFate.LEAVES, "agent of " + name + " shuts down"));
    adopt(new DomainBook(before.domain(), fewer, before.quotas()), "region " + name + " leaves");
  }

  private void adopt(DomainBook next, String text) {
    domain = next;
    generation++;
    add(new Incident.Quotas(new QuotaBook(generation, Map.of(next.domain(), next)), text));
  }
}
