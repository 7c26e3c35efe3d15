package dev.weir.sim.replay;

import dev.weir.core.lease.LeaseTiming;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.DomainBook;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaSpec;
import dev.weir.core.quota.Region;
import dev.weir.sim.fleet.Network;
import dev.weir.sim.fleet.VirtualTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * What a {@link Limiter} lives in: time, links, the quotas in force, and dice of its own. One
 * thread.
 */
public final class World {
  private final VirtualTime time;
  private final Network network;
  private final LeaseTiming timing;
  private final Random dice;
  private final Verdicts verdicts;
  private final long warmUpNanos;
  private final Map<String, QuotaSpec> quotas = new HashMap<>();
  private QuotaBook book;

  World(
      VirtualTime time,
      Network network,
      QuotaBook book,
      LeaseTiming timing,
      Random dice,
      Verdicts verdicts,
      long warmUpNanos) {
    this.time = time;
    this.network = network;
    this.timing = timing;
    this.dice = dice;
    this.verdicts = verdicts;
    this.warmUpNanos = warmUpNanos;
    this.book = book;
    adopt(book);
  }

  void adopt(QuotaBook next) {
    book = next;
    quotas.clear();
    for (DomainBook domain : next.domains().values()) {
      domain.quotas().forEach(quota -> quotas.put(quota.id().name(), quota));
    }
  }

  /** True time, and what is to happen when. */
  public VirtualTime time() {
    return time;
  }

  /** Links between every region and the centre; among regions two of them, one after the other. */
  public Network network() {
    return network;
  }

  /** What the operator has put in force last: of one domain. */
  public QuotaBook book() {
    return book;
  }

  /** The regions in force, by name. */
  public List<Region> regions() {
    return regions(book);
  }

  /** The quotas in force, by name. */
  public DomainBook domain() {
    return domain(book);
  }

  static DomainBook domain(QuotaBook book) {
    return book.domains().values().iterator().next();
  }

  static List<Region> regions(QuotaBook book) {
    return domain(book).regions();
  }

  /** The quota of a bucket, as in force now. */
  public QuotaSpec quota(BucketId bucket) {
    return Objects.requireNonNull(quotas.get(bucket.quota().name()));
  }

  /** How wrong clocks may be. */
  public LeaseTiming timing() {
    return timing;
  }

  /** Dice that the seed decides. */
  public Random dice() {
    return dice;
  }

  /** Where to say what was decided. */
  public Verdicts verdicts() {
    return verdicts;
  }

  /** How long nobody asks at the beginning, so that processes can say hello. */
  public long warmUpNanos() {
    return warmUpNanos;
  }
}
