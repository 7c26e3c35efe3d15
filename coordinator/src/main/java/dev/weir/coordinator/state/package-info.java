/** What a coordinator must remember: the data folder, its lock, and the files in it. */
@NullMarked
package dev.weir.coordinator.state;

import org.jspecify.annotations.NullMarked;
