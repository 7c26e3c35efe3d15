/**
 * Judges a finished run from what the agents wrote down: every window of every bucket against its
 * bound.
 */
@NullMarked
package dev.weir.sim.judge;

import org.jspecify.annotations.NullMarked;
