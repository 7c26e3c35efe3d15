/** The coordinator's HTTP interface. */
@NullMarked
package dev.weir.coordinator.api;

import org.jspecify.annotations.NullMarked;
