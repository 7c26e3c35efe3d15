/** What an agent counts, for Prometheus. */
@NullMarked
package dev.weir.agent.telemetry;

import org.jspecify.annotations.NullMarked;
