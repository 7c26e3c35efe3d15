package dev.weir.sim.baseline;

import dev.weir.core.bucket.Bucket;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import dev.weir.sim.replay.Limiter;
import dev.weir.sim.replay.Request;
import dev.weir.sim.replay.Strategy;
import dev.weir.sim.replay.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Every region decides by what it knows of all: its own admissions at once, those of the others as
 * they tell it, every interval. A bucket in a region may owe what others have admitted meanwhile
 * (so does the optimistic client of Databricks), and then refuses until that is made up for.
 *
 * @param intervalNanos between two messages to all others
 */
record GossipStrategy(String name, String description, long intervalNanos) implements Strategy {
  /** What Databricks reports at, and the default of gubernator's {@code GlobalSyncWait}. */
  static final GossipStrategy EVERY_100_MILLIS =
      new GossipStrategy(
          "gossip",
          "each region decides by its own admissions and what others said, every 100 ms",
          100 * Nanos.MILLISECOND_NANOS);

  /** As the estimates of the SIGCOMM 2007 paper on distributed rate limiting are exchanged. */
  static final GossipStrategy EVERY_500_MILLIS =
      new GossipStrategy("gossip-500ms", "the same, every 500 ms", 500 * Nanos.MILLISECOND_NANOS);

  @Override
  public Limiter begin(World world) {
    return new Service(world, intervalNanos);
  }

  private static final class Service implements Limiter {
    /** A bucket may owe so many times what is made in the longest silence that matters. */
    private static final long DEBT_NANOS = 60_000 * Nanos.MILLISECOND_NANOS;

    private final World world;
    private final long intervalNanos;
    private final Map<String, Peer> processes = new TreeMap<>();
    private long messages;

    /** What one region knows. */
    private final class Peer {
      final String region;
      final Map<BucketId, Bucket> buckets = new HashMap<>();
      Map<BucketId, Long> news = new HashMap<>();
      boolean alive = true;

      Peer(String region) {
        this.region = region;
      }

      /** Levels are shifted upwards by what may be owed: a bucket of the core is never negative. */
      Bucket bucket(BucketId id) {
        long nowNanos = world.time().nowNanos();
        Bucket known = buckets.get(id);
        if (known != null) {
          return known.refill(nowNanos);
        }
        QuotaSpec quota = world.quota(id);
        return Bucket.full(quota.rate(), burst(quota), nowNanos);
      }

      boolean take(Request request) {
        List<BucketId> ids = request.subject().buckets();
        for (BucketId id : ids) {
          QuotaSpec quota = world.quota(id);
          long level = bucket(id).levelMicros() - debt(quota);
          if (request.costMicros() > quota.maxCostMicros() || level < request.costMicros()) {
            return false;
          }
        }
        for (BucketId id : ids) {
          charge(id, request.costMicros());
          news.merge(id, request.costMicros(), Long::sum);
        }
        return true;
      }

      void charge(BucketId id, long micros) {
        Bucket bucket = bucket(id);
        long owed = Math.min(micros, bucket.levelMicros());
        buckets.put(id, bucket.take(owed, world.time().nowNanos()).after());
      }

      void tell() {
        if (!alive) {
          return;
        }
        if (!news.isEmpty()) {
          Map<BucketId, Long> said = news;
          news = new HashMap<>();
          for (Peer other : processes.values()) {
            if (other != this) {
              messages++;
              once(other, said);
            }
          }
        }
        world.time().after(intervalNanos, this::tell);
      }

      private void once(Peer other, Map<BucketId, Long> said) {
        boolean[] heard = new boolean[1];
        world
            .network()
            .across(
                region,
                other.region,
                world.time(),
                () -> {
                  if (!heard[0] && other.alive) {
                    heard[0] = true;
                    said.forEach(other::charge);
                  }
                });
      }
    }

    Service(World world, long intervalNanos) {
      this.world = world;
      this.intervalNanos = intervalNanos;
      for (Region region : world.regions()) {
        agentStarted(region.name());
      }
    }

    private static long debt(QuotaSpec quota) {
      return quota.burstMicros() + quota.rate().minted(DEBT_NANOS);
    }

    private static long burst(QuotaSpec quota) {
      return quota.burstMicros() + debt(quota);
    }

    @Override
    public void ask(Request request) {
      Peer process = Objects.requireNonNull(processes.get(request.region()));
      world.verdicts().decided(request, process.take(request), 0);
    }

    @Override
    public void quotasChanged(QuotaBook before, QuotaBook after) {
      long nowNanos = world.time().nowNanos();
      for (Peer process : processes.values()) {
        process.buckets.replaceAll(
            (id, bucket) -> {
              QuotaSpec old = Objects.requireNonNull(before.quota(id.quota()));
              QuotaSpec quota = world.quota(id);
              long level = bucket.levelAt(nowNanos) - debt(old) + debt(quota);
              long within = Math.max(0, Math.min(level, burst(quota)));
              return new Bucket(within, 0, nowNanos, quota.rate(), burst(quota));
            });
      }
    }

    @Override
    public void agentCrashed(String region) {
      Peer process = processes.remove(region);
      if (process != null) {
        process.alive = false;
      }
    }

    @Override
    public void agentLeft(String region) {
      agentCrashed(region);
    }

    @Override
    public void agentStarted(String region) {
      Peer process = new Peer(region);
      processes.put(region, process);
      // Ticks of different machines have nothing to do with each other.
      world.time().after((long) (world.dice().nextDouble() * intervalNanos), process::tell);
    }

    @Override
    public long messages() {
      return messages;
    }
  }
}
