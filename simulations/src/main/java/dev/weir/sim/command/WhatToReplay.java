package dev.weir.sim.command;

import dev.weir.config.ConfigProblem;
import dev.weir.config.QuotaFile;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import dev.weir.sim.replay.Plan;
import dev.weir.sim.replay.TraceLoad;
import dev.weir.sim.scenario.Expected;
import dev.weir.sim.scenario.Scenario;
import dev.weir.sim.scenario.ScenarioReader;
import dev.weir.sim.scenario.ShippedScenarios;
import dev.weir.sim.trace.Arrivals;
import dev.weir.sim.trace.Pace;
import dev.weir.sim.trace.Trace;
import dev.weir.sim.trace.TraceException;
import dev.weir.sim.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns what a user names into a scenario: a shipped one, a file, a trace under some quotas. */
final class WhatToReplay {
  /** Of what its busiest minute asks for, the quota of a trace without one refills this. */
  private static final long QUOTA_PERCENT = 60;

  private WhatToReplay() {}

  /** A shipped scenario, or a file. */
  static Scenario scenario(String named) {
    return ShippedScenarios.NAMES.contains(named)
        ? ShippedScenarios.read(named)
        : ScenarioReader.read(Path.of(named));
  }

  /** A trace; without quotas it gets one for all its keys. */
  static Scenario trace(String named, @Nullable Path quotas, String keyName, long seed)
      throws IOException {
    Trace trace = read(named);
    DomainBook domain = quotas == null ? one(trace) : domain(quotas, trace);
    QuotaBook book = new QuotaBook(1, Map.of(domain.domain(), domain));
    Plan plan =
        new Plan(
            trace.name(),
            book,
            LeaseTiming.DEFAULT,
            Map.of(),
            chosen -> new TraceLoad(new Arrivals(trace, new Pace(1, 1), chosen), book, keyName),
            List.of(),
            trace.lengthNanos(),
            Plan.slotNanos(trace.lengthNanos()));
    return new Scenario(trace.name(), trace.name(), plan, seed, Expected.BOUND);
  }

  private static Trace read(String named) throws IOException {
    try {
      return TraceReader.ALL_SHIPPED.contains(named)
          ? TraceReader.shipped(named)
          : TraceReader.read(Path.of(named));
    } catch (TraceException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** 60 % of the busiest minute's rate, and a second's worth of burst. */
  private static DomainBook one(Trace trace) {
    long perMinute = Math.max(1, trace.busiestMinuteTokens() * QUOTA_PERCENT / 100);
    Rate rate = Rate.of(perMinute, 60_000_000_000L);
    long burst = Math.max(1, perMinute / 60);
    QuotaSpec quota =
        QuotaSpec.leased(
            new QuotaId("trace", "all"), List.of(), rate, Rate.perSecond(burst).micros());
    List<Region> regions = trace.regions().stream().map(name -> new Region(name, 1)).toList();
    return new DomainBook("trace", regions, List.of(quota));
  }

  static DomainBook domain(Path quotas, @Nullable Trace trace) throws IOException {
    QuotaFile.Outcome outcome = QuotaFile.read(quotas.toString(), Files.readString(quotas));
    if (outcome instanceof QuotaFile.Refused refused) {
      throw new IllegalArgumentException(
          refused.problems().stream()
              .map(ConfigProblem::toString)
              .collect(Collectors.joining("\n")));
    }
    QuotaFile.Accepted accepted = (QuotaFile.Accepted) outcome;
    DomainBook domain = accepted.domains().values().iterator().next();
    List<Region> regions = new ArrayList<>(domain.regions());
    for (String name : trace == null ? List.<String>of() : trace.regions()) {
      if (regions.stream().noneMatch(region -> region.name().equals(name))) {
        regions.add(new Region(name, 1));
      }
    }
    return new DomainBook(domain.domain(), regions, domain.quotas());
  }
}
