/** JMH benchmarks; nothing imports them. */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
