/** The coordinator's half and the agent's half of the lease protocol, tried apart and together. */
@NullMarked
package dev.weir.core.lease;

import org.jspecify.annotations.NullMarked;
