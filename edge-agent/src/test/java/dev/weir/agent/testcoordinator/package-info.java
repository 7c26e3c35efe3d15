/** A coordinator for the agent's own tests. */
@NullMarked
package dev.weir.agent.testcoordinator;

import org.jspecify.annotations.NullMarked;
