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
  private final Map<QuotaId, Map<String, Adders>> totals = new ConcurrentHashMap<>();

  private static final class Adders {
    private final LongAdder leasedMicros = new LongAdder();
    private final LongAdder unsatisfiedMicros = new LongAdder();
  }

  /**
   * One region's part.
   *
   * @param leasedMicros micro-tokens per second its agents are accounted at
   * @param unsatisfiedMicros micro-tokens per second they want beyond lease and floor
   */
  public record Total(long leasedMicros, long unsatisfiedMicros) {}

  /** The totals by quota and region, of all that ever were. */
  public Map<QuotaId, Map<String, Total>> totals() {
    Map<QuotaId, Map<String, Total>> now = new TreeMap<>();
    totals.forEach(
        (quota, regions) -> {
          Map<String, Total> its = now.computeIfAbsent(quota, id -> new TreeMap<>());
          regions.forEach(
              (region, adders) ->
                  its.put(
                      region,
                      new Total(adders.leasedMicros.sum(), adders.unsatisfiedMicros.sum())));
        });
    return now;
  }

  void changed(BucketId bucket, @Nullable Ledger before, @Nullable Ledger after) {
    Map<String, Adders> regions =
        totals.computeIfAbsent(bucket.quota(), quota -> new ConcurrentHashMap<>());
    add(regions, before, -1);
    add(regions, after, 1);
  }

  private static void add(Map<String, Adders> regions, @Nullable Ledger ledger, long sign) {
    if (ledger == null) {
      return;
    }
    for (Map.Entry<HolderId, Holder> entry : ledger.holders().entrySet()) {
      Total total = total(ledger, entry.getKey(), entry.getValue());
      Adders adders = regions.computeIfAbsent(entry.getKey().region(), region -> new Adders());
      adders.leasedMicros.add(sign * total.leasedMicros());
      adders.unsatisfiedMicros.add(sign * total.unsatisfiedMicros());
    }
  }

  /** Of the ledger alone, whatever the time: what was added is what will be taken off. */
  private static Total total(Ledger ledger, HolderId who, Holder holder) {
    Share has = holder.declared().share();
    if (holder.offer() != null) {
      has = has.max(holder.offer().part().share());
    }
    long per = ledger.terms().perNanos();
    long leased = perSecond(has.rateMicros(), per);
    long floor = perSecond(ledger.terms().floorOf(who).rateMicros(), per);
    long wanted =
        Math.min(holder.demandMicros(), perSecond(ledger.terms().whole().rateMicros(), per));
    return new Total(leased, Math.max(0, wanted - leased - floor));
  }

  private static long perSecond(long micros, long perNanos) {
    return new Rate(micros, perNanos).toPer(Nanos.SECOND_NANOS, false).micros();
  }
}
