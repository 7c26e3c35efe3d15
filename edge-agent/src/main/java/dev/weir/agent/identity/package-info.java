/** Turns the address of a client into a descriptor that it cannot choose. */
@NullMarked
package dev.weir.agent.identity;

import org.jspecify.annotations.NullMarked;
