/** Counters that cost next to nothing where they are counted, and are read when somebody asks. */
@NullMarked
package dev.weir.agent.count;

import org.jspecify.annotations.NullMarked;
