/** Tests of the ledgers in a real cluster. */
@NullMarked
package dev.weir.coordinator.grid;

import org.jspecify.annotations.NullMarked;
