/** Ledgers in Hazelcast, each changed on the member that owns it and nowhere else. */
@NullMarked
package dev.weir.coordinator.grid;

import org.jspecify.annotations.NullMarked;
