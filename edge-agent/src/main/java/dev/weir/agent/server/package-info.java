/** The agent as a process: settings, sockets, signals. */
@NullMarked
package dev.weir.agent.server;

import org.jspecify.annotations.NullMarked;
