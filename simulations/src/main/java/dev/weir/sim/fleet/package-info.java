/** A whole fleet, one coordinator and many agents, under virtual time; one seed decides all. */
@NullMarked
package dev.weir.sim.fleet;

import org.jspecify.annotations.NullMarked;
