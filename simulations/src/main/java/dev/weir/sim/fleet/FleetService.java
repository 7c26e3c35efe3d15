package dev.weir.sim.fleet;

import dev.weir.core.Rules;
import dev.weir.core.lease.Desk;
import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.LeaseTerms;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Share;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A fleet as its operators and its users see it: one coordinator, one agent a region, in a world of
 * time and links that others own. Buckets come into being as keys are asked for. It judges nothing.
 */
public final class FleetService {
  /** The longest default wait for a first lease. */
  private static final long FIRST_LEASE_WAIT_NANOS = 500 * Fleet.MILLIS;

  private static final int FIRST_LEASE_TRIPS = 3;

  /** Coordinator and agents forget now and then what forgetting does not change. */
  private static final long SWEEPS_EVERY_NANOS = 5 * Fleet.SECOND;

  private final VirtualTime time;
  private final Fleet fleet;
  private final Map<String, Place> places = new HashMap<>();

  /** What a region's machine remembers from one process to the next. */
  private static final class Place {
    long boots;
    QuotaBook stored = QuotaBook.EMPTY;
    final List<Waiting> waiting = new ArrayList<>();
  }

  /** Told once what became of a request. */
  public interface Answer {
    /** The request is admitted, its tokens taken now, or refused. */
    void decided(boolean admitted);
  }

  /** A request that waits for a first lease; while it does, nothing is taken for it. */
  private record Waiting(
      SimAgent agent, List<BucketId> buckets, long costMicros, long untilNanos, Answer answer) {}

  /** A fleet that begins for the first time, with an agent in every region of the book. */
  public FleetService(VirtualTime time, Network network, LeaseTiming timing, QuotaBook book) {
    this.time = time;
    this.fleet = new Fleet(time, network, timing, Rules.ALL);
    quotas(book);
    fleet.startCoordinator(Desk.Start.FIRST, 0);
    domain(book).regions().forEach(region -> start(region.name()));
    sweep();
  }

  private static DomainBook domain(QuotaBook book) {
    return book.domains().values().iterator().next();
  }

  private void sweep() {
    time.after(
        SWEEPS_EVERY_NANOS,
        () -> {
          fleet.coordinator().sweep();
          for (SimAgent agent : fleet.everyAgent()) {
            agent.keys().sweep(agent.clock().nanos());
          }
          sweep();
        });
  }

  // ------------------------------------------------------------------------------ operators

  /** Other quotas or regions are in force from now on. */
  public void quotas(QuotaBook book) {
    fleet.quotas(domain(book).regions(), domain(book).quotas());
  }

  /** A process starts in a region, on the folder of the one before. */
  public void start(String region) {
    Place place = place(region);
    place.boots++;
    SimClock clock = new SimClock(time, 0, 0, 0);
    SimAgent agent = fleet.startAgent(region, "folder-" + region, place.boots, clock, place.stored);
    agent.afterAnswer(() -> tryAgain(agent, place, false));
    tickWaiting(agent, place);
  }

  /** The process of a region dies. */
  public void crash(String region) {
    SimAgent agent = stopped(region);
    if (agent != null) {
      agent.die();
    }
    refuseWaiting(region);
  }

  /** The process of a region gives everything back and ends. */
  public void leave(String region) {
    SimAgent agent = stopped(region);
    if (agent != null) {
      agent.leave();
    }
    refuseWaiting(region);
  }

  private @Nullable SimAgent stopped(String region) {
    SimAgent agent = fleet.agent(region);
    if (agent != null) {
      place(region).stored = agent.edge().book();
    }
    return agent;
  }

  private void refuseWaiting(String region) {
    List<Waiting> left = new ArrayList<>(place(region).waiting);
    place(region).waiting.clear();
    left.forEach(each -> each.answer().decided(false));
  }

  /** The coordinator dies; its disk survives. */
  public void crashCoordinator() {
    fleet.coordinator().crash();
  }

  /** The coordinator starts again on its disk. */
  public void startCoordinator() {
    if (!fleet.coordinator().isUp()) {
      fleet.startCoordinator(Desk.Start.AGAIN, 0);
    }
  }

  /** A region gets no new leases and gives its own back, or no longer so. */
  public void drain(String region, boolean on) {
    fleet.coordinator().drain(region, on);
  }

  private Place place(String region) {
    return places.computeIfAbsent(region, name -> new Place());
  }

  // ------------------------------------------------------------------------------ users

  /**
   * A request is asked in a region: of all these buckets, or of none. It is answered at once, but
   * for the first requests of a key that has neither floor nor lease, which wait for one.
   */
  public void ask(String region, List<BucketId> buckets, long costMicros, Answer answer) {
    SimAgent agent = fleet.agent(region);
    if (agent == null) {
      answer.decided(false);
      return;
    }
    BucketId refusing = agent.takeAll(buckets, costMicros);
    if (refusing == null || !agent.waitsForFirstLease(refusing)) {
      answer.decided(refusing == null);
      return;
    }
    long waitNanos = firstLeaseWaitNanos(agent, refusing);
    Waiting waiting = new Waiting(agent, buckets, costMicros, time.nowNanos() + waitNanos, answer);
    place(region).waiting.add(waiting);
    time.after(
        waitNanos,
        () -> {
          if (place(region).waiting.remove(waiting)) {
            answer.decided(agent.takeAll(buckets, costMicros) == null);
          }
        });
  }

  private long firstLeaseWaitNanos(SimAgent agent, BucketId bucket) {
    QuotaSpec quota = agent.edge().book().quota(bucket.quota());
    long set = quota == null ? 0 : quota.lease().firstLeaseWaitNanos();
    if (set != LeaseTerms.DEFAULT_WAIT) {
      return set;
    }
    return agent.roundTripNanos() == 0
        ? FIRST_LEASE_WAIT_NANOS
        : Math.min(
            FIRST_LEASE_WAIT_NANOS,
            fleet.intervalNanos() + FIRST_LEASE_TRIPS * agent.roundTripNanos());
  }

  /** Those that wait try again when an answer has come, and at each tick. */
  private void tickWaiting(SimAgent agent, Place place) {
    if (agent.isAlive()) {
      tryAgain(agent, place, true);
      time.after(fleet.intervalNanos(), () -> tickWaiting(agent, place));
    }
  }

  private void tryAgain(SimAgent agent, Place place, boolean tick) {
    if (place.waiting.isEmpty()) {
      return;
    }
    for (Waiting each : List.copyOf(place.waiting)) {
      boolean mayHave = !each.buckets().stream().allMatch(agent::waitsForFirstLease);
      if (each.agent().equals(agent) && (tick || mayHave)) {
        BucketId refusing = agent.takeAll(each.buckets(), each.costMicros());
        if (refusing == null || !agent.waitsForFirstLease(refusing)) {
          place.waiting.remove(each);
          each.answer().decided(refusing == null);
        }
      }
    }
  }

  // ------------------------------------------------------------------------------ views

  /** How many messages agents and coordinator have sent each other. */
  public long messages() {
    return fleet.messages();
  }

  /**
   * What each region may admit of a bucket now without asking anybody, in micro-tokens per {@code
   * perNanos}, by name.
   */
  public Map<String, Long> heldMicros(BucketId bucket, long perNanos) {
    Map<String, Long> held = new TreeMap<>();
    for (SimAgent agent : fleet.everyAgent()) {
      Share share = agent.share(bucket, perNanos);
      held.merge(agent.region(), share.rateMicros(), Long::sum);
    }
    return held;
  }
}
