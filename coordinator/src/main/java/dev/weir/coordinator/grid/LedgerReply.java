package dev.weir.coordinator.grid;

import dev.weir.core.lease.HolderId;
import dev.weir.core.message.BucketOffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger's owner says after a step.
 *
 * @param offer what to answer; null for nothing
 * @param recalls holders to be asked for what they have too much
 * @param waitsForMark whether the bucket's marks must be durable before the offer is sent
 * @param warning something an operator should know; null for nothing
 */
public record LedgerReply(
    @Nullable BucketOffer offer,
    List<HolderId> recalls,
    boolean waitsForMark,
    @Nullable String warning) {
  /** Nothing to say. */
  public static final LedgerReply NOTHING = new LedgerReply(null, List.of(), false, null);

  public LedgerReply {
    recalls = List.copyOf(recalls);
  }
}
