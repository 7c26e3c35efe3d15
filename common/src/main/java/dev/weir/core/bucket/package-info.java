/** Token buckets: the pure one, and the lock-free one that decides. */
@NullMarked
package dev.weir.core.bucket;

import org.jspecify.annotations.NullMarked;
