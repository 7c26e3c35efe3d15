package dev.weir.sim.replay;

import dev.weir.core.quota.BucketId;
import dev.weir.sim.fleet.Allowances;
import dev.weir.sim.fleet.ChangingJudge;
import java.util.Arrays;

/** One bucket: its judge, and what its regions asked for and got in the slot that goes on. */
final class BucketTally {
  final BucketId id;
  final ChangingJudge judge;

  /** By number of the region, in the slot. */
  final long[] askedMicros;

  final long[] admittedMicros;

  /** Whether the oracle refused something in the slot. */
  boolean contended;

  /** Since the replay began. */
  long askedInAllMicros;

  private int slot = -1;

  BucketTally(BucketId id, Allowances allowances, int regions) {
    this.id = id;
    this.judge = new ChangingJudge(allowances);
    this.askedMicros = new long[regions];
    this.admittedMicros = new long[regions];
  }

  /** Which slot goes on; -1 for none yet. */
  int slot() {
    return slot;
  }

  /** Begins another slot. */
  void enter(int now) {
    slot = now;
    contended = false;
    Arrays.fill(askedMicros, 0);
    Arrays.fill(admittedMicros, 0);
  }
}
