/** Measures the agent beside servers that do less. */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
