/** The edge agent: decides at the edge, on a lease or on its region's floor. */
@NullMarked
package dev.weir.agent;

import org.jspecify.annotations.NullMarked;
