/** Live replay of traces against real processes. */
@NullMarked
package dev.weir.sim;

import org.jspecify.annotations.NullMarked;
