package dev.weir.sim.baseline;

import dev.weir.core.quota.QuotaBook;
import dev.weir.sim.replay.Limiter;
import dev.weir.sim.replay.Request;
import dev.weir.sim.replay.Strategy;
import dev.weir.sim.replay.TokenBuckets;
import dev.weir.sim.replay.World;

/** One bucket that every region sees at once: what no system with distances can be. */
record CentralStrategy() implements Strategy {
  @Override
  public String name() {
    return "central";
  }

  @Override
  public String description() {
    return "the oracle: one bucket that all regions see at once, without a way to it";
  }

  @Override
  public Limiter begin(World world) {
    return new Service(world);
  }

  private static final class Service implements Limiter {
    private final World world;
    private final TokenBuckets oracle;

    Service(World world) {
      this.world = world;
      this.oracle = TokenBuckets.whole(world);
    }

    @Override
    public void ask(Request request) {
      world.verdicts().decided(request, oracle.admits(request), 0);
    }

    @Override
    public void quotasChanged(QuotaBook before, QuotaBook after) {
      oracle.sharesChanged();
    }

    @Override
    public long messages() {
      return 0;
    }
  }
}
