package dev.weir.sim.baseline;

import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import dev.weir.core.quota.Share;
import dev.weir.sim.replay.Held;
import dev.weir.sim.replay.Limiter;
import dev.weir.sim.replay.Request;
import dev.weir.sim.replay.Strategy;
import dev.weir.sim.replay.TokenBuckets;
import dev.weir.sim.replay.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every region on its own, without a message: what a limiter in a library or a gateway does. Either
 * each has its part by weight, or each has all of it.
 *
 * @param split whether the quota is divided by weight; else every region has all of it
 */
record LocalStrategy(String name, String description, boolean split) implements Strategy {
  /** Divided once and for all. */
  static final LocalStrategy STATIC_SPLIT =
      new LocalStrategy(
          "static-split", "each region has its part of the quota by weight, for good", true);

  /** As if there were no other regions. */
  static final LocalStrategy EACH_ALONE =
      new LocalStrategy("each-alone", "each region has the whole quota for itself", false);

  @Override
  public Limiter begin(World world) {
    return new Service(world, split);
  }

  private static final class Service implements Limiter {
    private final World world;
    private final boolean split;
    private final Map<String, TokenBuckets> processes = new HashMap<>();

    Service(World world, boolean split) {
      this.world = world;
      this.split = split;
    }

    private Share share(BucketId id, String region) {
      QuotaSpec quota = world.quota(id);
      return split ? Shares.byWeight(quota, world.regions(), region) : quota.whole();
    }

    private TokenBuckets process(String region) {
      return processes.computeIfAbsent(
          region, name -> new TokenBuckets(world, id -> share(id, name)));
    }

    @Override
    public void ask(Request request) {
      world.verdicts().decided(request, process(request.region()).admits(request), 0);
    }

    @Override
    public void quotasChanged(QuotaBook before, QuotaBook after) {
      processes.values().forEach(TokenBuckets::sharesChanged);
    }

    @Override
    public void agentCrashed(String region) {
      processes.remove(region);
    }

    @Override
    public void agentLeft(String region) {
      processes.remove(region);
    }

    @Override
    public long messages() {
      return 0;
    }

    @Override
    public Held held(BucketId bucket) {
      List<Region> regions = world.regions();
      Map<String, Double> held = new TreeMap<>();
      for (Region region : regions) {
        long rate = share(bucket, region.name()).rateMicros();
        held.put(region.name(), Shares.perSecond(rate, world.quota(bucket)));
      }
      return new Held(held, 0);
    }
  }
}
