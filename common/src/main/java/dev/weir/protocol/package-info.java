/** The messages between agents and coordinator as bytes. */
@NullMarked
package dev.weir.protocol;

import org.jspecify.annotations.NullMarked;
