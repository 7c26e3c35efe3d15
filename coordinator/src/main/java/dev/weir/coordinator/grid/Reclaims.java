package dev.weir.coordinator.grid;

import dev.weir.core.lease.Holder;
import dev.weir.core.lease.HolderId;
import dev.weir.core.lease.Ledger;
import dev.weir.core.lease.Part;
import dev.weir.core.quota.QuotaId;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts leases that came back to their pool, by why they did. Noticed at the next step of the
 * ledger, or by a sweep. Any thread.
 */
public final class Reclaims {
  private final Map<Reclaim, LongAdder> counts = new ConcurrentHashMap<>();

  /** Why. */
  public enum Cause {
    /** Nobody renewed it. */
    EXPIRED,
    /** Its holder gave it back. */
    RELEASED,
    /** Its holder was replaced by a newer run, and said what it gave back. */
    FENCED
  }

  /** What is counted. */
  public record Reclaim(QuotaId quota, String region, Cause cause) {}

  /** How many leases came back, since this process began. */
  public Map<Reclaim, Long> counts() {
    Map<Reclaim, Long> now =
        new TreeMap<>(
            (one, other) -> one.equals(other) ? 0 : one.toString().compareTo(other.toString()));
    counts.forEach((reclaim, count) -> now.put(reclaim, count.sum()));
    return now;
  }

  /**
   * Looks at a step.
   *
   * @param who whose word the step took; null for nobody's
   * @param why what becomes of what that one no longer has
   */
  void look(
      QuotaId quota,
      @Nullable Ledger before,
      @Nullable Ledger after,
      @Nullable HolderId who,
      Cause why,
      long nowNanos) {
    if (before == null || after == null) {
      return;
    }
    for (Map.Entry<HolderId, Holder> entry : before.holders().entrySet()) {
      HolderId holder = entry.getKey();
      Holder has = after.holders().get(holder);
      if (!entry.getValue().hasNothing()
          && (has == null || has.hasNothing())
          && after.terms().regions().containsKey(holder.region())) {
        boolean ranOut = !holder.equals(who) || hasRunOut(entry.getValue(), nowNanos);
        Reclaim reclaim = new Reclaim(quota, holder.region(), ranOut ? Cause.EXPIRED : why);
        counts.computeIfAbsent(reclaim, absent -> new LongAdder()).increment();
      }
    }
  }

  private static boolean hasRunOut(Holder holder, long nowNanos) {
    for (Part part : holder.parts()) {
      if (!part.at(nowNanos).isZero()) {
        return false;
      }
    }
    return true;
  }
}
