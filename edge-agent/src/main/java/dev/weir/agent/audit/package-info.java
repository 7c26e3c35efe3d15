/** A file of every admitted decision, for a judge outside the process. */
@NullMarked
package dev.weir.agent.audit;

import org.jspecify.annotations.NullMarked;
