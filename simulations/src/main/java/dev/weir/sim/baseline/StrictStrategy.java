package dev.weir.sim.baseline;

import dev.weir.core.math.Nanos;
import dev.weir.core.quota.QuotaBook;
import dev.weir.sim.replay.Limiter;
import dev.weir.sim.replay.Request;
import dev.weir.sim.replay.Strategy;
import dev.weir.sim.replay.TokenBuckets;
import dev.weir.sim.replay.World;

/**
 * Every request is decided in one store, a round trip away: a script in Redis, a rate limit
 * service. Whoever asks waits that long. What has no answer in time is decided by the caller.
 *
 * @param deadlineNanos how long an answer is waited for
 * @param failsOpen whether a request without an answer is admitted
 */
record StrictStrategy(String name, String description, long deadlineNanos, boolean failsOpen)
    implements Strategy {
  /** As safe as it can be: it waits for a second, and then refuses. */
  static final StrictStrategy PATIENT =
      new StrictStrategy(
          "strict",
          "each request is decided in one store over a real round trip; no answer in 1 s: refused",
          1_000 * Nanos.MILLISECOND_NANOS,
          false);

  /** Envoy's defaults: {@code timeout} 20 ms, {@code failure_mode_deny} false. */
  static final StrictStrategy ENVOY =
      new StrictStrategy(
          "strict-envoy",
          "the same at Envoy's defaults: no answer in 20 ms: admitted",
          20 * Nanos.MILLISECOND_NANOS,
          true);

  @Override
  public Limiter begin(World world) {
    return new Service(world, this);
  }

  private static final class Service implements Limiter {
    private final World world;
    private final StrictStrategy settings;
    private final TokenBuckets store;
    private boolean up = true;
    private long messages;

    Service(World world, StrictStrategy settings) {
      this.world = world;
      this.settings = settings;
      this.store = TokenBuckets.whole(world);
    }

    /** One request on its way. */
    private final class Call {
      private final Request request;
      private boolean arrived;
      private boolean answered;

      Call(Request request) {
        this.request = request;
      }

      void send() {
        messages++;
        world.network().up(request.region(), world.time(), this::arrive);
        world.time().after(settings.deadlineNanos(), this::timeOut);
      }

      private void arrive() {
        if (arrived || !up) {
          return;
        }
        arrived = true;
        boolean admitted = store.admits(request);
        messages++;
        long backNanos = world.network().link(request.region()).delayNanos;
        boolean late = world.time().nowNanos() + backNanos > sentNanos() + settings.deadlineNanos();
        int copies = world.network().down(request.region(), world.time(), () -> {});
        if (copies > 0 && !late && !answered) {
          answered = true;
          world.verdicts().decided(request, admitted, backNanos);
        }
      }

      private long sentNanos() {
        return world.warmUpNanos() + request.atNanos();
      }

      private void timeOut() {
        if (!answered) {
          answered = true;
          world.verdicts().decided(request, settings.failsOpen(), 0);
        }
      }
    }

    @Override
    public void ask(Request request) {
      new Call(request).send();
    }

    @Override
    public void quotasChanged(QuotaBook before, QuotaBook after) {
      store.sharesChanged();
    }

    @Override
    public void coordinatorDied() {
      up = false;
    }

    @Override
    public void coordinatorStarted() {
      up = true;
    }

    @Override
    public long messages() {
      return messages;
    }
  }
}
