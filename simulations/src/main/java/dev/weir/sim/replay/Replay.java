package dev.weir.sim.replay;

import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import dev.weir.sim.fleet.Chance;
import dev.weir.sim.fleet.Network;
import dev.weir.sim.fleet.VirtualTime;
import dev.weir.sim.replay.Plan.LinkTerms;
import dev.weir.sim.replay.Plan.Moment;
import dev.weir.sim.replay.ReplayResult.Event;
import dev.weir.sim.replay.ReplayResult.RegionResult;
import dev.weir.sim.replay.ReplayResult.ShiftResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Plays a plan under one way of limiting, from the first request to the last, in virtual time. It
 * is played once, by one thread; several replays may be played at a time.
 */
public final class Replay implements Verdicts {
  /**
   * How long nobody asks at first, so that agents have quotas and floors, as in a running fleet.
   */
  private static final long WARM_UP_NANOS_MIN = 2_000_000_000;

  /** No longer than this is waited for floors to fill. */
  private static final long WARM_UP_NANOS_MAX = 600_000_000_000L;

  /** How long is waited at the end for answers that are on their way. */
  private static final long LAST_ANSWERS_NANOS = 10_000_000_000L;

  /** Of so many buckets it is written down where their rate is; the one most asked for is shown. */
  private static final int WATCHED_MAX = 8;

  /** A multiple of it, so that slots are not sampled in step with what ticks. */
  private static final long SAMPLES_PER_SLOT = 4;

  private final Plan plan;
  private final Strategy strategy;
  private final long seed;
  private final VirtualTime time = new VirtualTime();
  private final Network network;
  private final World world;
  private final Load load;
  private final List<String> names;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Set<String> running = new HashSet<>();
  private final int slots;
  private final long warmUpNanos;
  private final Tally total = new Tally();
  private final Tally[] tallies;
  private final long[][] asked;
  private final long[][] admitted;
  private final long[][] oracleAdmitted;
  private final Buckets buckets;
  private final TokenBuckets oracle;
  private final Latencies latencies = new Latencies();
  private final List<Convergence> converging = new ArrayList<>();
  private final List<Convergence> shifts = new ArrayList<>();
  private final List<Incident.Shift> shiftsAsPlanned = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<BucketId, Watch> watches = new HashMap<>();
  private Limiter limiter;
  private long open;

  /** A replay that has not begun. */
  @SuppressWarnings("NullAway.Init") // the limiter begins in the world made here
  public Replay(Plan plan, Strategy strategy, long seed) {
    this.plan = plan;
    this.strategy = strategy;
    this.seed = seed;
    this.names = plan.regions();
    for (int i = 0; i < names.size(); i++) {
      numbers.put(names.get(i), i);
    }
    this.slots = (int) ((plan.lengthNanos() + plan.slotNanos() - 1) / plan.slotNanos());
    this.warmUpNanos = warmUpNanos(plan.book());
    this.tallies = new Tally[names.size()];
    Arrays.setAll(tallies, i -> new Tally());
    this.asked = new long[names.size()][slots];
    this.admitted = new long[names.size()][slots];
    this.oracleAdmitted = new long[names.size()][slots];
    this.network = new Network(seed);
    names.forEach(this::link);
    this.world =
        new World(time, network, plan.book(), plan.timing(), Chance.of(seed), this, warmUpNanos);
    this.load = plan.load().apply(seed);
    this.buckets = new Buckets(world, names, slots, plan.slotNanos());
    this.oracle = TokenBuckets.whole(world);
  }

  /** Twice what an empty bucket takes to fill. */
  private static long warmUpNanos(QuotaBook book) {
    double longest = WARM_UP_NANOS_MIN;
    for (QuotaSpec quota : World.domain(book).quotas()) {
      double fillNanos =
          (double) quota.burstMicros() * quota.rate().perNanos() / quota.rate().micros();
      longest = Math.max(longest, WARM_UP_NANOS_MIN + 2 * fillNanos);
    }
    return (long) Math.min(longest, WARM_UP_NANOS_MAX);
  }

  private void link(String region) {
    LinkTerms terms = plan.links().getOrDefault(region, LinkTerms.DEFAULT);
    Network.Link link = network.link(region);
    link.delayNanos = terms.roundTripNanos() / 2;
    link.jitterNanos = terms.jitterNanos();
    link.loss = terms.loss();
  }

  /**
   * Plays it.
   *
   * @param progress told now and then how much of the length is over, in nanoseconds
   */
  public ReplayResult play(LongConsumer progress) {
    long startNanos = System.nanoTime();
    world.regions().forEach(region -> running.add(region.name()));
    limiter = strategy.begin(world);
    for (Moment moment : plan.moments()) {
      time.after(warmUpNanos + moment.atNanos(), () -> happen(moment.incident()));
    }
    for (long i = 0; i < slots * SAMPLES_PER_SLOT; i++) {
      sampleLater(i);
    }
    long endNanos = warmUpNanos + plan.lengthNanos();
    int shown = -1;
    while (true) {
      long nextNanos = load.nextNanos();
      long askNanos = nextNanos == Load.NEVER ? endNanos : warmUpNanos + nextNanos;
      if (time.nextNanos() <= Math.min(askNanos, endNanos)) {
        time.step();
      } else if (askNanos >= endNanos) {
        break;
      } else {
        time.passUntil(askNanos);
        ask(load.take());
      }
      int slot = (int) (Math.max(0, time.nowNanos() - warmUpNanos) / plan.slotNanos());
      if (slot != shown) {
        shown = slot;
        progress.accept(slot * plan.slotNanos());
      }
    }
    long messages = limiter.messages();
    while (open > 0 && time.nextNanos() <= endNanos + LAST_ANSWERS_NANOS) {
      time.step();
    }
    buckets.close();
    return result(messages, System.nanoTime() - startNanos);
  }

  private int slot(long nowNanos) {
    return (int) Math.min(slots - 1, (nowNanos - warmUpNanos) / plan.slotNanos());
  }

  // ------------------------------------------------------------------------------ requests

  private void ask(Request request) {
    long nowNanos = time.nowNanos();
    int region = Objects.requireNonNull(numbers.get(request.region()));
    int slot = slot(nowNanos);
    asked[region][slot] += request.costMicros();
    if (!running.contains(request.region())) {
      total.unserved(request);
      tallies[region].unserved(request);
      load.heard(request, false, nowNanos - warmUpNanos);
      return;
    }
    request.oracleAdmits = oracle.admits(request);
    total.asked(request);
    tallies[region].asked(request);
    buckets.asked(request, region, slot);
    if (request.oracleAdmits) {
      oracleAdmitted[region][slot] += request.costMicros();
      noteConvergence(request, true, nowNanos);
    }
    open++;
    if (request.subject().buckets().isEmpty()) {
      decided(request, true, 0);
    } else {
      limiter.ask(request);
    }
  }

  @Override
  public void decided(Request request, boolean admits, long heardAfterNanos) {
    if (request.isDecided) {
      throw new IllegalStateException(strategy.name() + " decided twice about one request");
    }
    request.isDecided = true;
    open--;
    long nowNanos = time.nowNanos();
    int region = Objects.requireNonNull(numbers.get(request.region()));
    total.decided(request, admits);
    tallies[region].decided(request, admits);
    latencies.add(nowNanos - warmUpNanos - request.atNanos() + heardAfterNanos);
    if (admits) {
      int slot = slot(nowNanos);
      admitted[region][slot] += request.costMicros();
      buckets.admitted(request, region, slot, nowNanos);
      noteConvergence(request, false, nowNanos);
    }
    if (heardAfterNanos == 0) {
      load.heard(request, admits, nowNanos - warmUpNanos);
    } else {
      time.after(heardAfterNanos, () -> load.heard(request, admits, time.nowNanos() - warmUpNanos));
    }
  }

  private void noteConvergence(Request request, boolean byOracle, long nowNanos) {
    if (!converging.isEmpty()) {
      for (Convergence each : converging) {
        each.admitted(request.region(), byOracle, request.costMicros(), nowNanos);
      }
      converging.removeIf(each -> each.isOverAt(nowNanos));
    }
  }

  // ------------------------------------------------------------------------------ what happens

  private void happen(Incident incident) {
    events.add(new Event(time.nowNanos() - warmUpNanos, incident.text()));
    if (incident instanceof Incident.LinkChange change) {
      changeLink(change);
    } else if (incident instanceof Incident.Agent agent) {
      changeAgent(agent);
    } else if (incident instanceof Incident.Coordinator coordinator) {
      if (coordinator.up()) {
        limiter.coordinatorStarted();
      } else {
        limiter.coordinatorDied();
      }
    } else if (incident instanceof Incident.Quotas quotas) {
      QuotaBook before = world.book();
      world.adopt(quotas.book());
      oracle.sharesChanged();
      buckets.adopt();
      limiter.quotasChanged(before, quotas.book());
    } else if (incident instanceof Incident.Drain drain) {
      limiter.drained(drain.region(), drain.on());
    } else if (incident instanceof Incident.Shift shift) {
      Convergence convergence = new Convergence(time.nowNanos(), shift.to());
      shiftsAsPlanned.add(shift);
      shifts.add(convergence);
      converging.add(convergence);
    }
  }

  private void changeLink(Incident.LinkChange change) {
    Network.Link link = network.link(change.region());
    link.upCut = change.cutUp() == null ? link.upCut : change.cutUp();
    link.downCut = change.cutDown() == null ? link.downCut : change.cutDown();
    link.delayNanos = change.delayNanos() == null ? link.delayNanos : change.delayNanos();
    link.jitterNanos = change.jitterNanos() == null ? link.jitterNanos : change.jitterNanos();
    link.loss = change.loss() == null ? link.loss : change.loss();
    limiter.linkChanged(change.region());
  }

  private void changeAgent(Incident.Agent agent) {
    String region = agent.region();
    boolean starts = agent.fate() == Incident.AgentFate.STARTS;
    if (starts == running.contains(region)) {
      return;
    }
    if (starts) {
      running.add(region);
      limiter.agentStarted(region);
    } else {
      running.remove(region);
      if (agent.fate() == Incident.AgentFate.CRASHES) {
        limiter.agentCrashed(region);
      } else {
        limiter.agentLeft(region);
      }
    }
  }

  // ------------------------------------------------------------------------------ watching

  /** Where a bucket's rate was, sample by sample. */
  private final class Watch {
    final double[][] held = new double[names.size()][slots];
    final double[] pool = new double[slots];
    final int[] samples = new int[slots];

    void add(int slot, Held now) {
      samples[slot]++;
      pool[slot] += now.poolPerSecond();
      now.perSecond().forEach((region, rate) -> addTo(region, slot, rate));
    }

    private void addTo(String region, int slot, double rate) {
      Integer number = numbers.get(region);
      if (number != null) {
        held[number][slot] += rate;
      }
    }

    Series mean(double[] sums) {
      double[] means = new double[slots];
      Arrays.setAll(means, slot -> samples[slot] == 0 ? Double.NaN : sums[slot] / samples[slot]);
      return new Series(means);
    }
  }

  private void sampleLater(long number) {
    // In the middle of quarters of a slot.
    long atNanos = plan.slotNanos() * (2 * number + 1) / (2 * SAMPLES_PER_SLOT);
    if (atNanos < plan.lengthNanos()) {
      time.after(warmUpNanos + atNanos, () -> sample(slot(warmUpNanos + atNanos)));
    }
  }

  private void sample(int slot) {
    for (BucketId bucket : buckets.first(WATCHED_MAX)) {
      watches.computeIfAbsent(bucket, id -> new Watch()).add(slot, limiter.held(bucket));
    }
  }

  private ReplayResult result(long messages, long realNanos) {
    List<BucketId> watched = buckets.first(WATCHED_MAX);
    BucketId most = null;
    for (BucketId each : watched) {
      if (most == null || buckets.askedMicros(each) > buckets.askedMicros(most)) {
        most = each;
      }
    }
    Watch watch = most == null ? new Watch() : watches.getOrDefault(most, new Watch());
    Map<String, Integer> weights = new HashMap<>();
    plan.moments().stream()
        .map(Moment::incident)
        .filter(Incident.Quotas.class::isInstance)
        .map(Incident.Quotas.class::cast)
        .forEach(quotas -> note(weights, World.regions(quotas.book())));
    note(weights, World.regions(plan.book()));
    List<RegionResult> regions = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      regions.add(
          new RegionResult(
              names.get(i),
              weights.getOrDefault(names.get(i), 1),
              tallies[i].counts(),
              Series.tokens(asked[i]),
              Series.tokens(admitted[i]),
              Series.tokens(oracleAdmitted[i]),
              watch.mean(watch.held[i])));
    }
    List<ShiftResult> moved = new ArrayList<>();
    for (int i = 0; i < shifts.size(); i++) {
      Incident.Shift shift = shiftsAsPlanned.get(i);
      moved.add(
          new ShiftResult(
              shifts.get(i).fromNanos() - warmUpNanos,
              shift.from(),
              shift.to(),
              shifts.get(i).nanos()));
    }
    return new ReplayResult(
        plan.name(),
        strategy.name(),
        seed,
        plan.lengthNanos(),
        plan.slotNanos(),
        total.counts(),
        regions,
        buckets.quotas(warmUpNanos, warmUpNanos + plan.lengthNanos()),
        buckets.quietFloorMicros(),
        buckets.jain(),
        latencies.latency(),
        messages,
        watch.mean(watch.pool),
        buckets.level(),
        most == null ? "" : most.toString(),
        events,
        moved,
        realNanos);
  }

  private static void note(Map<String, Integer> weights, List<Region> regions) {
    regions.forEach(region -> weights.put(region.name(), region.weight()));
  }
}
