package dev.weir.sim.baseline;

import dev.weir.core.math.Nanos;
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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Capacity leased by what clients want, as Doorman's proportional share does it: every refresh a
 * client says what it wants and has; who wants no more than an even part gets it, and of what is
 * left the others get parts by how much more they want; never more than is free, for leases last. A
 * client whose lease has ended goes on with a safe capacity, an even part; a server that has just
 * begun believes what clients say they have, for as long as a lease lasts.
 *
 * @param refreshNanos between two requests of a client
 * @param leaseNanos how long what was given is theirs
 */
record DoormanStrategy(String name, String description, long refreshNanos, long leaseNanos)
    implements Strategy {
  /** Its documented defaults: leases of 5 minutes, refreshed every 5 s. */
  static final DoormanStrategy DEFAULTS =
      new DoormanStrategy(
          "doorman",
          "proportional share at its defaults: refreshed every 5 s, leases of 5 minutes",
          5 * Nanos.SECOND_NANOS,
          300 * Nanos.SECOND_NANOS);

  /** At the pace of Weir. */
  static final DoormanStrategy FAST =
      new DoormanStrategy(
          "doorman-100ms",
          "the same algorithm refreshed every 100 ms, leases of 10 s",
          100 * Nanos.MILLISECOND_NANOS,
          10 * Nanos.SECOND_NANOS);

  @Override
  public Limiter begin(World world) {
    return new Service(world, this);
  }

  /** What a client holds of one bucket, or was last given. */
  private record Grant(double has, long untilNanos, double wants) {}

  private static final class Service implements Limiter {
    private final World world;
    private final DoormanStrategy settings;
    private final Map<String, Client> clients = new TreeMap<>();

    /** What the server knows, by bucket and client; parts of the quota are tokens per second. */
    private Map<BucketId, Map<String, Grant>> given = new HashMap<>();

    private boolean up = true;
    private long learnsUntilNanos;
    private long messages;

    /** One region's process. */
    private final class Client {
      final String region;
      final TokenBuckets buckets;
      final Map<BucketId, Grant> grants = new HashMap<>();
      final Map<BucketId, Long> askedMicros = new LinkedHashMap<>();
      final Set<BucketId> asking = new LinkedHashSet<>();
      boolean alive = true;
      long refreshedAtNanos;

      Client(String region) {
        this.region = region;
        this.buckets = new TokenBuckets(world, this::share);
        this.refreshedAtNanos = now();
      }

      Share share(BucketId id) {
        QuotaSpec quota = world.quota(id);
        return Shares.part(quota, Math.min(1, has(id) / perSecond(quota)));
      }

      double has(BucketId id) {
        Grant grant = grants.get(id);
        if (grant == null) {
          return 0;
        }
        // The safe capacity.
        return now() < grant.untilNanos()
            ? grant.has()
            : perSecond(world.quota(id)) / Math.max(1, world.regions().size());
      }

      void ask(Request request) {
        for (BucketId id : request.subject().buckets()) {
          askedMicros.merge(id, request.costMicros(), Long::sum);
          if (asking.add(id)) {
            // A resource that is new to the client is asked for at once.
            refresh(id, 0);
          }
        }
        world.verdicts().decided(request, buckets.admits(request), 0);
      }

      void tick() {
        if (!alive) {
          return;
        }
        double seconds = Math.max(1e-3, (now() - refreshedAtNanos) / (double) Nanos.SECOND_NANOS);
        refreshedAtNanos = now();
        for (BucketId id : asking) {
          Long asked = askedMicros.remove(id);
          refresh(id, (asked == null ? 0 : asked) / 1e6 / seconds);
        }
        buckets.sharesChanged();
        world.time().after(settings.refreshNanos(), this::tick);
      }

      private void refresh(BucketId id, double measured) {
        double wants =
            measured > 0 || grants.containsKey(id) ? measured : perSecond(world.quota(id));
        messages++;
        double has = has(id);
        boolean[] once = new boolean[1];
        world
            .network()
            .up(
                region,
                world.time(),
                () -> {
                  if (!once[0] && up) {
                    once[0] = true;
                    answer(this, id, wants, has);
                  }
                });
      }

      void apply(BucketId id, Grant grant) {
        if (alive) {
          grants.put(id, grant);
          buckets.sharesChanged();
        }
      }
    }

    Service(World world, DoormanStrategy settings) {
      this.world = world;
      this.settings = settings;
      world.regions().forEach(region -> agentStarted(region.name()));
    }

    private long now() {
      return world.time().nowNanos();
    }

    private static double perSecond(QuotaSpec quota) {
      return Shares.perSecond(quota.rate().micros(), quota);
    }

    // ---------------------------------------------------------------------------- server

    private void answer(Client client, BucketId id, double wants, double has) {
      Map<String, Grant> all = given.computeIfAbsent(id, unused -> new TreeMap<>());
      all.values().removeIf(grant -> now() >= grant.untilNanos());
      double capacity = perSecond(world.quota(id));
      double free = capacity;
      for (Map.Entry<String, Grant> other : all.entrySet()) {
        if (!other.getKey().equals(client.region)) {
          free -= other.getValue().has();
        }
      }
      all.put(client.region, new Grant(has, now() + settings.leaseNanos(), wants));
      double gets =
          now() < learnsUntilNanos ? has : Math.min(part(all, client.region, capacity), free);
      Grant grant = new Grant(Math.max(0, gets), now() + settings.leaseNanos(), wants);
      all.put(client.region, grant);
      messages++;
      int unused = world.network().down(client.region, world.time(), () -> client.apply(id, grant));
    }

    /** Its proportional share. */
    private static double part(Map<String, Grant> all, String region, double capacity) {
      double even = capacity / all.size();
      double wanted = 0;
      double extra = 0;
      double unmet = 0;
      for (Grant grant : all.values()) {
        wanted += grant.wants();
        if (grant.wants() < even) {
          extra += even - grant.wants();
        } else {
          unmet += grant.wants() - even;
        }
      }
      double wants = Objects.requireNonNull(all.get(region)).wants();
      if (wanted <= capacity || wants <= even) {
        return wants;
      }
      return even + (wants - even) * extra / unmet;
    }

    // ---------------------------------------------------------------------------- events

    @Override
    public void ask(Request request) {
      Objects.requireNonNull(clients.get(request.region())).ask(request);
    }

    @Override
    public void quotasChanged(QuotaBook before, QuotaBook after) {
      clients.values().forEach(client -> client.buckets.sharesChanged());
    }

    @Override
    public void agentStarted(String region) {
      Client client = new Client(region);
      clients.put(region, client);
      long phase = (long) (world.dice().nextDouble() * settings.refreshNanos());
      world.time().after(phase, client::tick);
    }

    @Override
    public void agentCrashed(String region) {
      Client client = clients.remove(region);
      if (client != null) {
        client.alive = false;
      }
    }

    @Override
    public void agentLeft(String region) {
      agentCrashed(region);
      // A client that leaves releases what it has.
      messages++;
      world.network().up(region, world.time(), () -> release(region));
    }

    private void release(String region) {
      given.values().forEach(all -> all.remove(region));
    }

    @Override
    public void coordinatorDied() {
      up = false;
      given = new HashMap<>();
    }

    @Override
    public void coordinatorStarted() {
      up = true;
      learnsUntilNanos = now() + settings.leaseNanos();
    }

    @Override
    public long messages() {
      return messages;
    }

    @Override
    public Held held(BucketId bucket) {
      Map<String, Double> held = new TreeMap<>();
      double left = perSecond(world.quota(bucket));
      for (Region region : world.regions()) {
        Client client = clients.get(region.name());
        double has = client == null ? 0 : client.has(bucket);
        held.put(region.name(), has);
        left -= has;
      }
      return new Held(held, Math.max(0, left));
    }
  }
}
