package dev.weir.core.lease;

import dev.weir.core.math.Check;
import dev.weir.core.math.MulDiv;
import dev.weir.core.math.Nanos;
import dev.weir.core.quota.LeaseTerms;

/**
 * The one place where lengths of leases, the drift of clocks and the guard meet (S6, S7).
 *
 * @param driftPpm the rate error allowed for any clock, ρ, in parts per million
 * @param guardNanos what the coordinator adds before it takes back what an agent may still use; it
 *     also covers the age of a clock reading
 */
public record LeaseTiming(int driftPpm, long guardNanos) {
  /** ρ = 0.0005, guard 50 ms. */
  public static final LeaseTiming DEFAULT = new LeaseTiming(500, 50_000_000);

  private static final long MILLION = 1_000_000;

  public LeaseTiming {
    Check.inRange("driftPpm", driftPpm, 0, 100_000);
    Check.inRange("guardNanos", guardNanos, 0, 60_000_000_000L);
  }

  /**
   * How long the coordinator waits, from when it answered, before it takes back what an agent may
   * use for {@code ttlNanos} from when it asked: {@code ttl·(1+2ρ) + guard}.
   */
  public long takenBackAfterNanos(long ttlNanos) {
    return Nanos.plus(stretched(ttlNanos), guardNanos);
  }

  /**
   * How long after a change of a quota what was given before it may still be used, and what it may
   * add to the bound is to be shown: until floors, or leases where there are none, have been taken
   * back from regions that are cut off.
   */
  public long oldTermsLastNanos(LeaseTerms before) {
    return takenBackAfterNanos(before.floorPpm() > 0 ? before.floorTtlNanos() : before.ttlNanos());
  }

  /**
   * The longest this clock can show while another one shows {@code nanos}: {@code nanos·(1+2ρ)}.
   */
  public long stretched(long nanos) {
    return Nanos.plus(nanos, MulDiv.up(nanos, 2L * driftPpm, MILLION));
  }

  /**
   * The shortest this clock can show while another one shows {@code nanos}: {@code nanos·(1−2ρ)}.
   */
  public long shrunk(long nanos) {
    return nanos - MulDiv.up(nanos, 2L * driftPpm, MILLION);
  }
}
