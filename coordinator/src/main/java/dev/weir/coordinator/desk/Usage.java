package dev.weir.coordinator.desk;

import dev.weir.core.lease.HolderId;
import dev.weir.core.message.QuotaUse;
import dev.weir.core.message.SyncRequest;
import dev.weir.core.quota.QuotaBook;
import dev.weir.core.quota.QuotaId;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What agents say they have admitted, added up since this process began. For operators: no rule
 * rests on it. Heard by one thread, read by any.
 */
public final class Usage {
  private static final long FORGOTTEN_NANOS = 3_600_000_000_000L;
  private static final int RUNS_MAX = 10_000;

  private final Map<HolderId, Run> runs = new ConcurrentHashMap<>();
  private final Map<QuotaId, Map<String, Adders>> totals = new ConcurrentHashMap<>();

  /**
   * One region's part.
   *
   * @param usedMicros micro-tokens taken from leases and floors
   * @param besideMicros micro-tokens admitted by fallbacks beside them
   */
  public record Total(long usedMicros, long besideMicros) {}

  private static final class Adders {
    private final LongAdder usedMicros = new LongAdder();
    private final LongAdder besideMicros = new LongAdder();
  }

  /** A run of an agent; of one that began before this process, the first totals are old news. */
  private static final class Run {
    private final boolean fromItsStart;
    private final Map<QuotaId, QuotaUse> last = new HashMap<>();
    private volatile long heardAtNanos;

    Run(boolean fromItsStart) {
      this.fromItsStart = fromItsStart;
    }
  }

  /** The totals by quota and region, of all that ever were. */
  public Map<QuotaId, Map<String, Total>> totals() {
    Map<QuotaId, Map<String, Total>> now = new TreeMap<>();
    totals.forEach(
        (quota, regions) -> {
          Map<String, Total> its = now.computeIfAbsent(quota, id -> new TreeMap<>());
          regions.forEach(
              (region, adders) ->
                  its.put(region, new Total(adders.usedMicros.sum(), adders.besideMicros.sum())));
        });
    return now;
  }

  /** Takes what an agent of a configured region says. */
  void heard(SyncRequest request, QuotaBook book, long nowNanos) {
    HolderId who = new HolderId(request.region(), request.boot());
    Run run = runs.get(who);
    if (run == null) {
      if (runs.size() >= RUNS_MAX) {
        return;
      }
      run = new Run(request.seq() == 1);
      runs.put(who, run);
    }
    run.heardAtNanos = nowNanos;
    for (QuotaUse use : request.uses()) {
      if (book.quota(use.quota()) != null) {
        heard(request.region(), run, use);
      }
    }
  }

  /** Requests may come late or twice: totals that have been passed say nothing. */
  private void heard(String region, Run run, QuotaUse use) {
    QuotaId quota = use.quota();
    QuotaUse last = run.last.get(quota);
    if (last == null && !run.fromItsStart) {
      run.last.put(quota, use);
      return;
    }
    QuotaUse before = last == null ? QuotaUse.none(quota) : last;
    QuotaUse news = use.since(before);
    run.last.put(
        quota,
        new QuotaUse(
            quota,
            Math.max(use.usedMicros(), before.usedMicros()),
            Math.max(use.besideMicros(), before.besideMicros())));
    Adders adders =
        totals
            .computeIfAbsent(quota, id -> new ConcurrentHashMap<>())
            .computeIfAbsent(region, name -> new Adders());
    adders.usedMicros.add(news.usedMicros());
    adders.besideMicros.add(news.besideMicros());
  }

  /** Forgets runs that have been silent for long. */
  void lookAround(long nowNanos) {
    runs.values().removeIf(run -> nowNanos - run.heardAtNanos > FORGOTTEN_NANOS);
  }
}
