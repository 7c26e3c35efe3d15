package dev.weir.core.lease;

import dev.weir.core.message.BucketOffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one step of a ledger.
 *
 * @param next the ledger from now on
 * @param offer what to answer; null when there is nothing to say
 * @param recalls holders that have more than their part while others wait: whoever answers them
 *     next asks the ledger what to tell them
 * @param mark a low-water mark that must be durable before the offer is sent; null for none
 * @param warning something an operator should know; null for nothing
 */
public record LedgerStep(
    Ledger next,
    @Nullable BucketOffer offer,
    List<HolderId> recalls,
    @Nullable Mark mark,
    @Nullable String warning) {
  public LedgerStep {
    recalls = List.copyOf(recalls);
  }

  LedgerStep with(Ledger ledger) {
    return new LedgerStep(ledger, offer, recalls, mark, warning);
  }
}
