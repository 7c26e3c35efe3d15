/**
 * Traces: who asked, when and where; read from files and laid out as arrivals. Pure but for reading
 * text.
 */
@NullMarked
package dev.weir.sim.trace;

import org.jspecify.annotations.NullMarked;
