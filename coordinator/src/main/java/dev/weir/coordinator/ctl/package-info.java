/** {@code weir ctl}: an operator's questions and words to a coordinator, from the command line. */
@NullMarked
package dev.weir.coordinator.ctl;

import org.jspecify.annotations.NullMarked;
