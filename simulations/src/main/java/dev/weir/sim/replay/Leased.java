package dev.weir.sim.replay;

import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.Rate;
import dev.weir.sim.fleet.FleetService;
import java.util.Map;
import java.util.TreeMap;

/** Weir itself: the product's desk, ledgers, edges and buckets, at their defaults. */
public final class Leased implements Strategy {
  private static final long SECOND_NANOS = 1_000_000_000;

  @Override
  public String name() {
    return "leased";
  }

  @Override
  public String description() {
    return "Weir: leases from a coordinator, asked for every 100 ms and when a bucket runs dry";
  }

  @Override
  public Limiter begin(World world) {
    return new Service(world);
  }

  private static final class Service implements Limiter {
    private final World world;
    private final FleetService fleet;

    Service(World world) {
      this.world = world;
      this.fleet = new FleetService(world.time(), world.network(), world.timing(), world.book());
    }

    @Override
    public void ask(Request request) {
      fleet.ask(
          request.region(),
          request.subject().buckets(),
          request.costMicros(),
          admitted -> world.verdicts().decided(request, admitted, 0));
    }

    @Override
    public void quotasChanged(QuotaBook before, QuotaBook after) {
      fleet.quotas(after);
    }

    @Override
    public void agentCrashed(String region) {
      fleet.crash(region);
    }

    @Override
    public void agentLeft(String region) {
      fleet.leave(region);
    }

    @Override
    public void agentStarted(String region) {
      fleet.start(region);
    }

    @Override
    public void coordinatorDied() {
      fleet.crashCoordinator();
    }

    @Override
    public void coordinatorStarted() {
      fleet.startCoordinator();
    }

    @Override
    public void drained(String region, boolean on) {
      fleet.drain(region, on);
    }

    @Override
    public long messages() {
      return fleet.messages();
    }

    @Override
    public Held held(BucketId bucket) {
      Rate rate = world.quota(bucket).rate();
      Map<String, Double> held = new TreeMap<>();
      long left = rate.micros();
      for (Map.Entry<String, Long> each : fleet.heldMicros(bucket, rate.perNanos()).entrySet()) {
        held.put(each.getKey(), perSecond(each.getValue(), rate));
        left -= each.getValue();
      }
      return new Held(held, perSecond(Math.max(0, left), rate));
    }

    private static double perSecond(long micros, Rate rate) {
      return micros / 1e6 * SECOND_NANOS / rate.perNanos();
    }
  }
}
