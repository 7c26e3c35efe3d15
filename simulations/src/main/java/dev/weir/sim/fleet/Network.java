package dev.weir.sim.fleet;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Links between regions and the coordinator, each as bad as it is told to be. */
public final class Network {
  private final long seed;
  private final Map<String, Link> links = new HashMap<>();
  private final Faults faults;

  /** One region's link, with dice of its own: what happens on one changes nothing on another. */
  public static final class Link {
    private final Random random;
    public boolean upCut;
    public boolean downCut;
    public double loss;
    public double twice;
    public double slow;
    public long delayNanos;
    public long jitterNanos;
    public long slowNanos;

    Link(Random random) {
      this.random = random;
    }
  }

  /** Good links: no delay, no loss. */
  public Network(long seed) {
    this(seed, new Faults());
  }

  Network(long seed, Faults faults) {
    this.seed = seed;
    this.faults = faults;
  }

  /** The link of a region, to change or to look at. */
  public Link link(String region) {
    return links.computeIfAbsent(region, name -> new Link(Chance.of(seed, name.hashCode())));
  }

  /** A message from a region to the centre; it may arrive never, later, or more than once. */
  public void up(String region, VirtualTime time, Runnable arrive) {
    Link link = link(region);
    for (int copies = copies(link, link.upCut); copies > 0; copies--) {
      time.after(delay(link), arrive);
    }
  }

  /** A message from the centre to a region; returns how many copies will arrive. */
  public int down(String region, VirtualTime time, Runnable arrive) {
    Link link = link(region);
    int copies = copies(link, link.downCut);
    for (int i = 0; i < copies; i++) {
      time.after(delay(link), arrive);
    }
    return copies;
  }

  /** A message from one region to another, over the links of both. */
  public void across(String from, String to, VirtualTime time, Runnable arrive) {
    up(
        from,
        time,
        () -> {
          int unused = down(to, time, arrive);
        });
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
