/** What the coordinator counts. */
@NullMarked
package dev.weir.coordinator.telemetry;

import org.jspecify.annotations.NullMarked;
