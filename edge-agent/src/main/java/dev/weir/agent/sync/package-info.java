/** Talks to the coordinator, and is the only part of an agent that does. */
@NullMarked
package dev.weir.agent.sync;

import org.jspecify.annotations.NullMarked;
