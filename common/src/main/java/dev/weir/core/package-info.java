/** The pure core: values in, values out; no clock, no chance, no thread, no input or output. */
@NullMarked
package dev.weir.core;

import org.jspecify.annotations.NullMarked;
