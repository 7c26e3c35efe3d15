/** The coordinator: owns the ledgers, grants the leases, serves the configuration. */
@NullMarked
package dev.weir.coordinator;

import org.jspecify.annotations.NullMarked;
