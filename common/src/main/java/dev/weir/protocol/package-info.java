/** The messages between agents and coordinator, as records. */
@NullMarked
package dev.weir.protocol;

import org.jspecify.annotations.NullMarked;
