/** Tests of the data folder. */
@NullMarked
package dev.weir.coordinator.state;

import org.jspecify.annotations.NullMarked;
