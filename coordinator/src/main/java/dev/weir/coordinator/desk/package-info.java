/** The desk and its ledgers in motion: syncs answered, quotas put in force, silence noticed. */
@NullMarked
package dev.weir.coordinator.desk;

import org.jspecify.annotations.NullMarked;
