package dev.weir.sim.fleet;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Links between regions and the coordinator, each as bad as it is told to be. */
final class Network {
  private final Random random;
  private final Map<String, Link> links = new HashMap<>();

  /** One region's link. */
  static final class Link {
    boolean upCut;
    boolean downCut;
    double loss;
    double twice;
    double slow;
    long delayNanos;
    long jitterNanos;
    long slowNanos;
  }

  Network(Random random) {
    this.random = random;
  }

  Link link(String region) {
    return links.computeIfAbsent(region, name -> new Link());
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
    if (cut || random.nextDouble() < link.loss) {
      return 0;
    }
    return random.nextDouble() < link.twice ? 2 : 1;
  }

  private long delay(Link link) {
    long jitter = link.jitterNanos == 0 ? 0 : (long) (random.nextDouble() * link.jitterNanos);
    boolean slow = random.nextDouble() < link.slow;
    return link.delayNanos + jitter + (slow ? (long) (random.nextDouble() * link.slowNanos) : 0);
  }
}
