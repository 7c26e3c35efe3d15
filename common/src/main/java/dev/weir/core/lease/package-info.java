/** Leases: the coordinator's ledger, the agent's holding, and how shares are found. */
@NullMarked
package dev.weir.core.lease;

import org.jspecify.annotations.NullMarked;
