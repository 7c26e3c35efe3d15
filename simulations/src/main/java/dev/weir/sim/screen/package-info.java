/** What a person sees while something runs. */
@NullMarked
package dev.weir.sim.screen;

import org.jspecify.annotations.NullMarked;
