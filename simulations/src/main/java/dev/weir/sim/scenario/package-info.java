/** Scenarios: files that say what is asked for, what happens meanwhile, and what is expected. */
@NullMarked
package dev.weir.sim.scenario;

import org.jspecify.annotations.NullMarked;
