package dev.weir.sim.fleet;

import dev.weir.core.Rules;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.Match;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Region;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** A fleet to which everything that can happen does, as one seed decides. */
public final class Chaos {
  private static final long MILLIS = Fleet.MILLIS;
  private static final long SECOND = Fleet.SECOND;
  private static final QuotaId QUOTA = new QuotaId("shop", "api");

  /** What may go wrong. */
  public enum Fault {
    LOSS,
    SLOW,
    TWICE,
    CUTS,
    CRASHES,
    PAUSES,
    SLEEPS,
    COORDINATOR,
    LOST_DATA,
    QUOTAS,
    REGIONS,
    DRAINS,
    LAZY
  }

  private final Random random;
  private final Set<Fault> faults = EnumSet.noneOf(Fault.class);
  private final LeaseTiming timing;
  private final Fleet fleet;
  private final long lengthNanos;
  private final List<BucketId> buckets = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private List<Region> regions = new ArrayList<>();
  private QuotaSpec quota;
  private final double greed;
  private boolean lost;
  private long boots;
  private int folders;
  private long longestTtlNanos;

  private enum Mood {
    IDLE,
    STEADY,
    GREEDY,
    ALL_AT_ONCE
  }

  private Chaos(Random random, Rules rules, Set<Fault> allowed, boolean tracing) {
    this.random = random;
    boolean calm = random.nextInt(12) == 0;
    for (Fault fault : Fault.values()) {
      if (!calm && random.nextInt(100) < 45) {
        faults.add(fault);
      }
    }
    if (random.nextInt(3) != 0) {
      faults.remove(Fault.LOST_DATA);
    }
    faults.retainAll(allowed);
    int ppm = pick(0, 500, 20_000);
    timing = new LeaseTiming(ppm, pick(5L, 50L, 50L) * MILLIS);
    for (int i = 0; i < pick(1, 1, 2, 3); i++) {
      buckets.add(new BucketId(QUOTA, "k" + i));
    }
    int count = pick(2, 3, 3, 4);
    for (int i = 0; i < 5; i++) {
      names.add("r" + i);
      if (i < count) {
        regions.add(new Region("r" + i, random.nextBoolean() ? 1 : 1 + random.nextInt(4)));
      }
    }
    quota = anyQuota();
    greed = random.nextDouble();
    lengthNanos = (8 + random.nextInt(12)) * SECOND;
    fleet = new Fleet(timing, rules, random, random.nextLong(), drift(), buckets);
    if (tracing) {
      fleet.tracing();
    }
    fleet.coordinator().adoptsAtOnce = !faults.contains(Fault.LAZY);
    fleet.intervals(pick(20L, 50L, 100L, 100L) * MILLIS, pick(150L, 500L, 1000L) * MILLIS);
  }

  /** Runs a seed; empty when all held. */
  public static List<String> run(Random random, Rules rules, Set<Fault> allowed) {
    return new Chaos(random, rules, allowed, false).play();
  }

  /** Runs a seed and tells all that happened. */
  public static String tell(Random random, Rules rules, Set<Fault> allowed) {
    Chaos chaos = new Chaos(random, rules, allowed, true);
    List<String> broken = chaos.play();
    return chaos.faults + "\n" + chaos.fleet.trace() + "\n" + String.join("\n", broken);
  }

  private List<String> play() {
    for (String name : names) {
      spoil(name);
    }
    fleet.quotas(regions, List.of(quota));
    fleet.startCoordinator(Desk.Start.FIRST, 0);
    for (Region region : regions) {
      later(random.nextInt(300) * MILLIS, () -> boot(region.name(), folder(region.name()), false));
    }
    for (String name : names) {
      for (BucketId bucket : buckets) {
        want(name, bucket);
      }
    }
    if (!faults.isEmpty()) {
      trouble();
    }
    sweep();
    fleet.runFor(lengthNanos);
    return fleet.violations();
  }

  // ------------------------------------------------------------------------------ chance

  @SafeVarargs
  private <T> T pick(T... of) {
    return of[random.nextInt(of.length)];
  }

  private int drift() {
    int most = timing.driftPpm();
    return most == 0 ? 0 : pick(-most, most, random.nextInt(2 * most + 1) - most);
  }

  private void later(long nanos, Runnable what) {
    fleet.time().after(nanos, what);
  }

  /** A length of so many milliseconds at least and at most. */
  private long between(int atLeast, int atMost) {
    return (atLeast + random.nextInt(atMost - atLeast + 1)) * MILLIS;
  }

  // ------------------------------------------------------------------------------ quotas

  private QuotaSpec anyQuota() {
    boolean slow = random.nextInt(6) == 0;
    long rate = slow ? pick(0L, 10_000L, 100_000L) : pick(1L, 20L, 200L, 5_000L) * 1_000_000;
    long burst =
        slow
            ? pick(10L, 60L, 1_000L) * 1_000_000
            : Math.max(
                1_000_000, (long) (rate * pick(0.05, 0.3, 1.0, 3.0)) / 1_000_000 * 1_000_000);
    QuotaSpec spec =
        QuotaSpec.leased(QUOTA, List.of(new Match("k", null)), new Rate(rate, SECOND), burst);
    if (random.nextInt(3) == 0) {
      spec = spec.withMaxCost(Math.max(1, burst / pick(1, 2, 4, 50)));
    }
    return spec.withLease(anyLease());
  }

  private LeaseTerms anyLease() {
    long ttl = pick(1L, 2L, 4L) * SECOND;
    longestTtlNanos = Math.max(longestTtlNanos, ttl);
    return new LeaseTerms(
        ttl, pick(0, 100_000, 100_000, 500_000, 900_000), true, 60 * SECOND, ttl * 5 / 2, -1);
  }

  private void changeQuota() {
    QuotaSpec next = random.nextBoolean() ? anyQuota() : quota.withLease(anyLease());
    if (random.nextInt(4) == 0) {
      next =
          QuotaSpec.leased(
                  QUOTA,
                  quota.match(),
                  new Rate(quota.rate().micros() * pick(1, 2, 3) / pick(1, 2), SECOND),
                  Math.max(1_000_000, quota.burstMicros() * pick(1, 2, 3) / pick(1, 2)))
              .withLease(quota.lease());
    }
    quota = next;
    fleet.quotas(regions, List.of(quota));
  }

  private void changeRegions() {
    List<Region> next = new ArrayList<>(regions);
    switch (random.nextInt(3)) {
      case 0 -> {
        for (String name : names) {
          if (next.stream().noneMatch(region -> region.name().equals(name))) {
            next.add(new Region(name, 1 + random.nextInt(4)));
            SimAgent agent = fleet.agent(name);
            if (agent == null || !agent.isAlive()) {
              later(between(0, 500), () -> boot(name, folder(name), false));
            }
            break;
          }
        }
      }
      case 1 -> {
        if (next.size() > 1) {
          next.remove(random.nextInt(next.size()));
        }
      }
      default -> next.replaceAll(region -> new Region(region.name(), 1 + random.nextInt(5)));
    }
    regions = next;
    fleet.quotas(regions, List.of(quota));
  }

  // ------------------------------------------------------------------------------ machines

  private String folder(String region) {
    return region + "-" + folders++;
  }

  private void boot(String region, String wantedFolder, boolean knowsQuotas) {
    // A folder is locked by the process that uses it.
    boolean locked =
        fleet.processes(region).stream().anyMatch(agent -> agent.folder().equals(wantedFolder));
    String folder = locked ? folder(region) : wantedFolder;
    long boot = Math.max(++boots, fleet.newestBoot(region) + 1);
    boots = boot;
    fleet.startAgent(
        region,
        folder,
        boot,
        new SimClock(fleet.time(), random.nextLong(), random.nextLong() / 4, drift()),
        knowsQuotas ? fleet.book() : QuotaBook.EMPTY);
  }

  private void spoil(String region) {
    Network.Link link = fleet.network().link(region);
    link.delayNanos = pick(0L, 1L, 10L, 40L, 120L) * MILLIS;
    link.jitterNanos = random.nextInt(20) * MILLIS;
    link.loss = faults.contains(Fault.LOSS) ? pick(0.0, 0.05, 0.3, 0.6) : 0;
    link.twice = faults.contains(Fault.TWICE) ? 0.3 : 0;
    link.slow = faults.contains(Fault.SLOW) ? pick(0.02, 0.2) : 0;
    link.slowNanos = pick(1L, 3L, 8L) * SECOND;
  }

  private void trouble() {
    later(
        between(20, 900),
        () -> {
          strike(pick(faults.toArray(new Fault[0])));
          trouble();
        });
  }

  private void strike(Fault fault) {
    String region = pick(names.toArray(new String[0]));
    SimAgent agent = fleet.agent(region);
    switch (fault) {
      case LOSS, SLOW, TWICE -> spoil(region);
      case CUTS -> cut(region);
      case CRASHES -> {
        if (agent != null) {
          end(agent);
        }
      }
      case PAUSES -> {
        if (agent != null && agent.isAlive() && !agent.isStopped()) {
          fleet.say(region + " pauses");
          agent.pause();
          later(between(50, 5_000), () -> goOn(agent));
        }
      }
      case SLEEPS -> {
        if (agent != null && agent.isAlive() && !agent.isStopped()) {
          fleet.say(region + " sleeps");
          agent.sleep();
          // So short a sleep that the guard covers it, or one that is noticed.
          later(
              random.nextInt(4) == 0 ? timing.guardNanos() / 5 : between(60, 5_000),
              () -> goOn(agent));
        }
      }
      case COORDINATOR -> coordinatorDies(Desk.Start.AGAIN);
      case LOST_DATA -> {
        if (lossAhead() && fleet.coordinator().isUp()) {
          lost = true;
          coordinatorDies(Desk.Start.LOST_DATA);
        }
      }
      case QUOTAS -> {
        if (!lossAhead() && random.nextInt(3) == 0) {
          changeQuota();
        }
      }
      case REGIONS -> {
        if (!lossAhead() && random.nextInt(3) == 0) {
          changeRegions();
        }
      }
      case DRAINS -> {
        boolean on = random.nextBoolean();
        fleet.say(region + " drains " + on);
        fleet.coordinator().drain(region, on);
      }
      case LAZY -> {}
    }
  }

  /** What floors there were is known after a loss only if the quotas are still those. */
  private boolean lossAhead() {
    return faults.contains(Fault.LOST_DATA) && !lost;
  }

  private void cut(String region) {
    Network.Link link = fleet.network().link(region);
    int what = random.nextInt(3);
    link.upCut = what != 0;
    link.downCut = what != 1;
    fleet.say(region + " cut " + link.upCut + " " + link.downCut);
    later(
        between(50, 6_000),
        () -> {
          fleet.say(region + " heals");
          link.upCut = false;
          link.downCut = false;
        });
  }

  private void goOn(SimAgent agent) {
    fleet.say(agent.region() + " goes on");
    if (agent.isAlive()) {
      agent.goOn(random.nextBoolean());
    }
  }

  private void end(SimAgent agent) {
    String region = agent.region();
    if (agent.isStopped() && agent.isAlive()) {
      return;
    }
    switch (random.nextInt(4)) {
      case 0 -> {
        fleet.say(region + " leaves");
        agent.leave();
        later(
            between(0, 1_500),
            () ->
                boot(
                    region,
                    random.nextBoolean() ? agent.folder() : folder(region),
                    random.nextBoolean()));
      }
      // Another process while the one before still runs.
      case 1 -> boot(region, folder(region), random.nextBoolean());
      default -> {
        fleet.say(region + "/" + agent.boot() + " dies");
        agent.die();
        later(
            between(0, 1_500),
            () ->
                boot(
                    region,
                    random.nextInt(3) != 0 ? agent.folder() : folder(region),
                    random.nextBoolean()));
      }
    }
  }

  private void coordinatorDies(Desk.Start again) {
    if (fleet.coordinator().isUp()) {
      fleet.say("coordinator dies");
      fleet.coordinator().crash();
      boolean atOnce = again == Desk.Start.LOST_DATA;
      later(atOnce ? 0 : between(0, 3_000), () -> fleet.startCoordinator(again, longestTtlNanos));
    }
  }

  private void sweep() {
    later(
        between(300, 3_000),
        () -> {
          fleet.coordinator().sweep();
          for (String name : names) {
            SimAgent agent = fleet.agent(name);
            if (agent != null && agent.isAlive() && !agent.isStopped()) {
              agent.keys().sweep(agent.clock().nanos());
            }
          }
          sweep();
        });
  }

  // ------------------------------------------------------------------------------ traffic

  private void want(String region, BucketId bucket) {
    Mood mood =
        random.nextDouble() < greed
            ? pick(Mood.GREEDY, Mood.ALL_AT_ONCE)
            : pick(Mood.IDLE, Mood.STEADY, Mood.STEADY);
    long until = fleet.time().nowNanos() + between(200, 5_000);
    double part = random.nextDouble() * 1.2;
    spend(region, bucket, mood, part, until);
  }

  private void spend(String region, BucketId bucket, Mood mood, double part, long untilNanos) {
    long gap =
        switch (mood) {
          case IDLE -> SECOND;
          case STEADY, GREEDY -> between(1, 60);
          case ALL_AT_ONCE -> between(1, 2_000);
        };
    later(
        gap,
        () -> {
          for (SimAgent agent : fleet.processes(region)) {
            spendNow(agent, bucket, mood, part, gap);
          }
          if (fleet.time().nowNanos() < untilNanos) {
            spend(region, bucket, mood, part, untilNanos);
          } else {
            want(region, bucket);
          }
        });
  }

  private void spendNow(SimAgent agent, BucketId bucket, Mood mood, double part, long gap) {
    long cost =
        random.nextBoolean()
            ? quota.maxCostMicros()
            : 1 + (long) (random.nextDouble() * quota.maxCostMicros());
    switch (mood) {
      case IDLE -> {}
      case STEADY -> {
        double due = quota.rate().micros() * part * gap / SECOND;
        cost = Math.min(cost, 1_000_000);
        for (int i = 0; i < 20 && random.nextDouble() * cost < due; i++) {
          agent.take(bucket, cost);
          due -= cost;
        }
      }
      case GREEDY, ALL_AT_ONCE -> agent.drain(bucket, cost);
    }
  }
}
