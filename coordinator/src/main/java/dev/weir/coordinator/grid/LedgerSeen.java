package dev.weir.coordinator.grid;

import dev.weir.core.lease.Ledger;

/**
 * A ledger as its owner saw it.
 *
 * @param ledger brought forward to {@code nowNanos}
 * @param nowNanos the instant, on the owner's clock, which the ledger's instants are of
 */
public record LedgerSeen(Ledger ledger, long nowNanos) {}
