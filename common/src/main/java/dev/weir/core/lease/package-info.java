/** Leases: the coordinator's ledgers and floors, the agent's holdings, and who gets how much. */
@NullMarked
package dev.weir.core.lease;

import org.jspecify.annotations.NullMarked;
