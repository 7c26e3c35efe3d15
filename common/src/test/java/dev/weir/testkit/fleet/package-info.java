/** A whole fleet, one coordinator and many agents, under virtual time; one seed decides all. */
@NullMarked
package dev.weir.testkit.fleet;

import org.jspecify.annotations.NullMarked;
