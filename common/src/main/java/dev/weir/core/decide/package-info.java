/** One decision over every quota that a request counts against. */
@NullMarked
package dev.weir.core.decide;

import org.jspecify.annotations.NullMarked;
