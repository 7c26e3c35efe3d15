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

/**
 * A fleet to which everything that can happen does, as one seed decides. What strikes it is decided
 * beforehand, and every strike and every key's traffic has dice of its own; so a strike can be left
 * out while the others stay what they are, which is how a schedule that fails is made smaller.
 */
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
    LAZY;

    /** Whether it is how links or coordinator are from the start, beside what strikes. */
    public boolean isAmbient() {
      return this == LOSS || this == SLOW || this == TWICE || this == LAZY;
    }
  }

  /**
   * Something that goes wrong at an instant.
   *
   * @param number which of the strikes of its seed
   * @param atNanos true time since the fleet began
   * @param region the region that is struck, where the fault is one region's
   */
  public record Strike(int number, long atNanos, Fault fault, String region) {}

  /**
   * What is left out of a run.
   *
   * @param strikes numbers of strikes that do not happen
   * @param calmed ambient faults that there are not
   * @param quiet regions that ask for nothing
   */
  public record Without(Set<Integer> strikes, Set<Fault> calmed, Set<String> quiet) {
    /** Nothing is left out. */
    public static final Without NOTHING = new Without(Set.of(), Set.of(), Set.of());

    public Without {
      strikes = Set.copyOf(strikes);
      calmed = Set.copyOf(calmed);
      quiet = Set.copyOf(quiet);
    }
  }

  /**
   * What came of a run.
   *
   * @param seed the seed
   * @param broken what did not hold; empty where all held
   * @param sums what happened, in numbers
   * @param faults what went wrong, by kind
   * @param strikes what struck, in order
   * @param ambient ambient faults there were
   * @param regions names of regions that may have asked for something
   */
  public record Outcome(
      long seed,
      List<String> broken,
      Sums sums,
      Faults faults,
      List<Strike> strikes,
      Set<Fault> ambient,
      List<String> regions) {
    /** Whether everything held. */
    public boolean held() {
      return broken.isEmpty();
    }
  }

  private final long seed;
  private final Without without;
  private final List<Strike> strikes = new ArrayList<>();
  private final Set<Fault> ambient = EnumSet.noneOf(Fault.class);
  private final Random setUp;

  /** The dice of whatever caused what happens now. */
  private Random random;

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
  private boolean over;
  private long boots;
  private int folders;
  private long longestTtlNanos;

  private enum Mood {
    IDLE,
    STEADY,
    GREEDY,
    ALL_AT_ONCE
  }

  private Chaos(long seed, Rules rules, Set<Fault> allowed, Without without, boolean tracing) {
    this.seed = seed;
    this.without = without;
    this.setUp = Chance.of(seed);
    this.random = setUp;
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
    faults.stream().filter(Fault::isAmbient).forEach(ambient::add);
    ambient.removeAll(without.calmed());
    fleet.coordinator().adoptsAtOnce = !ambient.contains(Fault.LAZY);
    fleet.intervals(pick(20L, 50L, 100L, 100L) * MILLIS, pick(150L, 500L, 1000L) * MILLIS);
    plan();
  }

  /**
   * Runs a seed.
   *
   * @param rules the clauses in force
   * @param allowed what may go wrong
   */
  public static Outcome run(long seed, Rules rules, Set<Fault> allowed) {
    return run(seed, rules, allowed, Without.NOTHING);
  }

  /** Runs a seed without some of what happens in it. */
  public static Outcome run(long seed, Rules rules, Set<Fault> allowed, Without without) {
    return new Chaos(seed, rules, allowed, without, false).play();
  }

  /** Runs a seed and tells all that happened. */
  public static String tell(long seed, Rules rules, Set<Fault> allowed, Without without) {
    Chaos chaos = new Chaos(seed, rules, allowed, without, true);
    Outcome outcome = chaos.play();
    return chaos.faults + "\n" + chaos.fleet.trace() + "\n" + String.join("\n", outcome.broken());
  }

  private Outcome play() {
    List<String> broken = new ArrayList<>();
    try {
      happen();
      broken.addAll(afterwards());
      broken.addAll(0, fleet.violations());
    } catch (RuntimeException e) {
      // That the core refuses what the core has said is a failure like any other.
      broken.add(e.toString());
    }
    return new Outcome(
        seed, List.copyOf(broken), fleet.sums(), fleet.faults(), strikes, ambient, names);
  }

  private void happen() {
    for (String name : names) {
      spoil(name);
    }
    fleet.quotas(regions, List.of(quota));
    fleet.startCoordinator(Desk.Start.FIRST, 0);
    for (Region region : regions) {
      long nanos = random.nextInt(300) * MILLIS;
      with(dice(), () -> later(nanos, () -> boot(region.name(), folder(region.name()), false)));
    }
    for (String name : names) {
      for (BucketId bucket : buckets) {
        Random dice = dice();
        if (!without.quiet().contains(name)) {
          with(dice, () -> want(name, bucket));
        }
      }
    }
    for (Strike strike : strikes) {
      Random dice = dice();
      if (!without.strikes().contains(strike.number())) {
        with(dice, () -> later(strike.atNanos(), () -> strike(strike)));
      }
    }
    with(dice(), this::sweep);
    fleet.runFor(lengthNanos);
  }

  private List<String> afterwards() {
    over = true;
    fleet.say("nothing goes wrong any more");
    Aftermath aftermath =
        new Aftermath(fleet, names, region -> boot(region, folder(region), false));
    return aftermath.judge(quota, regions);
  }

  /** Decides what will strike, when and whom. */
  private void plan() {
    Fault[] all = faults.toArray(new Fault[0]);
    String[] of = names.toArray(new String[0]);
    long at = between(20, 900);
    while (all.length > 0 && at < lengthNanos) {
      strikes.add(new Strike(strikes.size(), at, pick(all), pick(of)));
      at += between(20, 900);
    }
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

  /** Something happens later, with the dice of what causes it. */
  private void later(long nanos, Runnable what) {
    Random dice = random;
    fleet.time().after(nanos, () -> with(dice, what));
  }

  /** Further dice of this seed. */
  private Random dice() {
    return new Random(setUp.nextLong());
  }

  private void with(Random dice, Runnable what) {
    Random before = random;
    random = dice;
    what.run();
    random = before;
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
    double loss = pick(0.0, 0.05, 0.3, 0.6);
    double slow = pick(0.02, 0.2);
    link.loss = ambient.contains(Fault.LOSS) ? loss : 0;
    link.twice = ambient.contains(Fault.TWICE) ? 0.3 : 0;
    link.slow = ambient.contains(Fault.SLOW) ? slow : 0;
    link.slowNanos = pick(1L, 3L, 8L) * SECOND;
  }

  private void strike(Strike strike) {
    String region = strike.region();
    SimAgent agent = fleet.agent(region);
    switch (strike.fault()) {
      case LOSS, SLOW, TWICE -> {
        count("linkChanges");
        spoil(region);
      }
      case CUTS -> cut(region);
      case CRASHES -> {
        if (agent != null) {
          end(agent);
        }
      }
      case PAUSES -> {
        if (agent != null && agent.isAlive() && !agent.isStopped()) {
          fleet.say(region + " pauses");
          count("pauses");
          agent.pause();
          later(between(50, 5_000), () -> goOn(agent));
        }
      }
      case SLEEPS -> {
        if (agent != null && agent.isAlive() && !agent.isStopped()) {
          fleet.say(region + " sleeps");
          count("sleeps");
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
          count("dataLosses");
          coordinatorDies(Desk.Start.LOST_DATA);
        }
      }
      case QUOTAS -> {
        if (!lossAhead() && random.nextInt(3) == 0) {
          count("quotaChanges");
          changeQuota();
        }
      }
      case REGIONS -> {
        if (!lossAhead() && random.nextInt(3) == 0) {
          count("regionChanges");
          changeRegions();
        }
      }
      case DRAINS -> {
        boolean on = random.nextBoolean();
        count("drains");
        fleet.say(region + " drains " + on);
        fleet.coordinator().drain(region, on);
      }
      case LAZY -> {}
    }
  }

  private void count(String fault) {
    fleet.faults().count(fault);
  }

  /** What floors there were is known after a loss only if the quotas are still those. */
  private boolean lossAhead() {
    return faults.contains(Fault.LOST_DATA) && !lost;
  }

  private void cut(String region) {
    count("cuts");
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
        count("leaves");
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
      case 1 -> {
        count("secondProcesses");
        boot(region, folder(region), random.nextBoolean());
      }
      default -> {
        count("crashes");
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
      count("coordinatorCrashes");
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
          if (over) {
            return;
          }
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
