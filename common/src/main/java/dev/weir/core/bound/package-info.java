/** What a quota promises, as a formula, and the invariants that keep it. */
@NullMarked
package dev.weir.core.bound;

import org.jspecify.annotations.NullMarked;
