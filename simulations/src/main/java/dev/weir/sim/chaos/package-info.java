/** {@code weir sim chaos}: fleets to which everything happens, by the thousand. */
@NullMarked
package dev.weir.sim.chaos;

import org.jspecify.annotations.NullMarked;
