package dev.weir.agent.sync;

import dev.weir.core.lease.Edge;
import dev.weir.core.message.SyncAnswer;
import java.io.IOException;

/** What a sync loop needs of the process around it. Called on the loop's thread only. */
public interface Boots {
  /**
   * A boot that has begun.
   *
   * @param number larger than that of every boot before
   */
  record Boot(long number, Edge edge) {}

  /**
   * Begins a new boot with empty buckets; the one before, if there was one, has ended.
   *
   * @param told the largest boot number a coordinator has seen of the region; 0 if none was told
   * @throws IOException if its number could not be written down
   */
  Boot begin(long told) throws IOException;

  /** The boot was fenced or has left: from now on no bucket of it admits anything. */
  void end(SyncStatus.State why);

  /**
   * An answer was applied.
   *
   * @param sentAtNanos when the request was sent
   */
  void heard(SyncAnswer answer, long sentAtNanos, long nowNanos);
}
