/** Who may import what. */
@NullMarked
package dev.weir.architecture;

import org.jspecify.annotations.NullMarked;
