package dev.weir.sim.fleet;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Links between regions and the coordinator, each as bad as it is told to be. */
final class Network {
  private final long seed;
  private final Map<String, Link> links = new HashMap<>();
  private final Faults faults;

  /** One region's link, with dice of its own: what happens on one changes nothing on another. */
  static final class Link {
    private final Random random;
    boolean upCut;
    boolean downCut;
    double loss;
    double twice;
    double slow;
    long delayNanos;
    long jitterNanos;
    long slowNanos;

    Link(Random random) {
      this.random = random;
    }
  }

  Network(long seed, Faults faults) {
    this.seed = seed;
    this.faults = faults;
  }

  Link link(String region) {
    return links.computeIfAbsent(region, name -> new Link(Chance.of(seed, name.hashCode())));
  }

  void up(String region, VirtualTime time, Runnable arrive) {
    Link link = link(region);
    for (int copies = copies(link, link.upCut); copies > 0; copies--) {
      time.after(delay(link), arrive);
    }
  }

  /** Returns how many copies will arrive. */
  int down(String region, VirtualTime time, Runnable arrive) {
    Link link = link(region);
    int copies = copies(link, link.downCut);
    for (int i = 0; i < copies; i++) {
      time.after(delay(link), arrive);
    }
    return copies;
  }

  private int copies(Link link, boolean cut) {
    boolean lost = link.random.nextDouble() < link.loss;
    boolean twice = link.random.nextDouble() < link.twice;
    if (cut) {
      faults.count("messagesCutOff");
      return 0;
    }
    if (lost) {
      faults.count("messagesLost");
      return 0;
    }
    if (twice) {
      faults.count("messagesDoubled");
    }
    return twice ? 2 : 1;
  }

  private long delay(Link link) {
    long jitter = link.jitterNanos == 0 ? 0 : (long) (link.random.nextDouble() * link.jitterNanos);
    boolean slow = link.random.nextDouble() < link.slow;
    if (slow) {
      faults.count("messagesHeldUp");
    }
    return link.delayNanos
        + jitter
        + (slow ? (long) (link.random.nextDouble() * link.slowNanos) : 0);
  }
}
