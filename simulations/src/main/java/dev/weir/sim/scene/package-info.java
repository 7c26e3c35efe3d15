/**
 * One ledger, or one desk, and the agents that lean on it, moved along a timeline by hand; and the
 * schedules built of them.
 */
@NullMarked
package dev.weir.sim.scene;

import org.jspecify.annotations.NullMarked;
