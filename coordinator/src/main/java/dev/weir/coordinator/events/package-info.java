/** What happened, for operators: the newest events, and those who want to hear of the next. */
@NullMarked
package dev.weir.coordinator.events;

import org.jspecify.annotations.NullMarked;
