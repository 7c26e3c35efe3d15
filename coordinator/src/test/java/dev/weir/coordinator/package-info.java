/** Tests of the coordinator as a whole. */
@NullMarked
package dev.weir.coordinator;

import org.jspecify.annotations.NullMarked;
