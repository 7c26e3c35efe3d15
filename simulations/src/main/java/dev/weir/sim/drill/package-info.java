/**
 * {@code weir drill}: live measurements against real processes that are moved, killed and started
 * again, judged from what the agents wrote down.
 */
@NullMarked
package dev.weir.sim.drill;

import org.jspecify.annotations.NullMarked;
