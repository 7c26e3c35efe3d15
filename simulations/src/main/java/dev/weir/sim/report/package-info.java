/** What a replay showed, as a table, as JSON and as a page. */
@NullMarked
package dev.weir.sim.report;

import org.jspecify.annotations.NullMarked;
