/** Tests of the desk in motion. */
@NullMarked
package dev.weir.coordinator.desk;

import org.jspecify.annotations.NullMarked;
