/** {@code weir ctl} against answers on loopback. */
@NullMarked
package dev.weir.coordinator.ctl;

import org.jspecify.annotations.NullMarked;
