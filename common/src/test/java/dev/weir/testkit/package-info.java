/** What tests of every module share: seeds, a clock moved by hand, all small cases. */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
