/** Quota files: text to validated records, all problems at once. */
@NullMarked
package dev.weir.config;

import org.jspecify.annotations.NullMarked;
