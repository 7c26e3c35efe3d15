/** Exact arithmetic on whole numbers, and monotonic time. */
@NullMarked
package dev.weir.core.math;

import org.jspecify.annotations.NullMarked;
