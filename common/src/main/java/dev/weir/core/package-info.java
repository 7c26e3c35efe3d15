/** Weir's rules as plain Java: values in, values out; no threads, clocks or sockets. */
@NullMarked
package dev.weir.core;

import org.jspecify.annotations.NullMarked;
