/** Tests of the messages as bytes. */
@NullMarked
package dev.weir.protocol;

import org.jspecify.annotations.NullMarked;
