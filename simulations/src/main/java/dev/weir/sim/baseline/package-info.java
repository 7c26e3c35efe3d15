/** Other ways of limiting, as good as those who built them would make them. */
@NullMarked
package dev.weir.sim.baseline;

import org.jspecify.annotations.NullMarked;
