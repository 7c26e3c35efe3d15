/** {@code weir sim} as it is typed: options, what they mean, where results go. */
@NullMarked
package dev.weir.sim.command;

import org.jspecify.annotations.NullMarked;
