/** The messages between agents and the coordinator, as values. */
@NullMarked
package dev.weir.core.message;

import org.jspecify.annotations.NullMarked;
