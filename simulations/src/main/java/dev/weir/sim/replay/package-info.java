/**
 * Replays in virtual time: a load, everything that happens to links and machines meanwhile, and one
 * way of limiting at a time; beside it a central bucket that sees everything at once, and a judge
 * of every window.
 */
@NullMarked
package dev.weir.sim.replay;

import org.jspecify.annotations.NullMarked;
