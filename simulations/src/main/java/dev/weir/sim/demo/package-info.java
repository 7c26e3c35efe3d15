/**
 * {@code weir demo} and {@code weir dev}: a coordinator, three agents and a Redis on this machine.
 */
@NullMarked
package dev.weir.sim.demo;

import org.jspecify.annotations.NullMarked;
