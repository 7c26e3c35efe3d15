/** Live replay: arrivals sent to real agents over HTTP when they are due, and what came of them. */
@NullMarked
package dev.weir.sim.live;

import org.jspecify.annotations.NullMarked;
