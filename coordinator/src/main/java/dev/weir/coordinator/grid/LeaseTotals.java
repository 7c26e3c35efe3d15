package dev.weir.coordinator.grid;

import dev.weir.core.lease.Holder;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.Ledger;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.BucketId;
import dev.weir.core.quota.QuotaId;
import dev.weir.core.quota.Rate;
import dev.weir.core.quota.Share;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What is leased, in sum over all buckets of a quota, kept up with every step so that nobody has to
 * look at every ledger. Leases that ran out count until the next step or sweep. Any thread.
 */
public final class LeaseTotals {
  private final Map<QuotaId, Adders> totals = new ConcurrentHashMap<>();

  private static final class Adders {
    private final LongAdder ledgers = new LongAdder();
    private final LongAdder reserveMicros = new LongAdder();
    private final Map<String, RegionAdders> regions = new ConcurrentHashMap<>();
  }

  private static final class RegionAdders {
    private final LongAdder leasedMicros = new LongAdder();
    private final LongAdder unsatisfiedMicros = new LongAdder();
  }

  /**
   * One quota.
   *
   * @param ledgers how many buckets have one
   * @param reserveMicros micro-tokens per second that their pools keep
   * @param regions by name, all that ever were
   */
  public record Total(long ledgers, long reserveMicros, Map<String, RegionTotal> regions) {
    /** Nobody has asked about any of its buckets. */
    public static final Total NOTHING = new Total(0, 0, Map.of());

    public Total {
      regions = Map.copyOf(regions);
    }
  }

  /**
   * One region's part.
   *
   * @param leasedMicros micro-tokens per second its agents are accounted at
   * @param unsatisfiedMicros micro-tokens per second they want beyond lease and floor
   */
  public record RegionTotal(long leasedMicros, long unsatisfiedMicros) {}

  /** The totals by quota, of all that ever were. */
  public Map<QuotaId, Total> totals() {
    Map<QuotaId, Total> now = new TreeMap<>();
    totals.forEach(
        (quota, adders) -> {
          Map<String, RegionTotal> regions = new TreeMap<>();
          adders.regions.forEach(
              (region, its) ->
                  regions.put(
                      region,
                      new RegionTotal(its.leasedMicros.sum(), its.unsatisfiedMicros.sum())));
          now.put(quota, new Total(adders.ledgers.sum(), adders.reserveMicros.sum(), regions));
        });
    return now;
  }

  void changed(BucketId bucket, @Nullable Ledger before, @Nullable Ledger after) {
    Adders adders = totals.computeIfAbsent(bucket.quota(), quota -> new Adders());
    add(adders, before, -1);
    add(adders, after, 1);
  }

  private static void add(Adders adders, @Nullable Ledger ledger, long sign) {
    if (ledger == null) {
      return;
    }
    adders.ledgers.add(sign);
    adders.reserveMicros.add(
        sign * perSecond(ledger.pool().rate().micros(), ledger.terms().perNanos()));
    for (Map.Entry<HolderId, Holder> entry : ledger.holders().entrySet()) {
      RegionTotal total = total(ledger, entry.getKey(), entry.getValue());
      RegionAdders its =
          adders.regions.computeIfAbsent(entry.getKey().region(), region -> new RegionAdders());
      its.leasedMicros.add(sign * total.leasedMicros());
      its.unsatisfiedMicros.add(sign * total.unsatisfiedMicros());
    }
  }

  /** Of the ledger alone, whatever the time: what was added is what will be taken off. */
  private static RegionTotal total(Ledger ledger, HolderId who, Holder holder) {
    Share has = holder.declared().share();
    if (holder.offer() != null) {
      has = has.max(holder.offer().part().share());
    }
    long per = ledger.terms().perNanos();
    long leased = perSecond(has.rateMicros(), per);
    long floor = perSecond(ledger.terms().floorOf(who).rateMicros(), per);
    long wanted =
        Math.min(holder.demandMicros(), perSecond(ledger.terms().whole().rateMicros(), per));
    return new RegionTotal(leased, Math.max(0, wanted - leased - floor));
  }

  private static long perSecond(long micros, long perNanos) {
    return new Rate(micros, perNanos).toPer(Nanos.SECOND_NANOS, false).micros();
  }
}
