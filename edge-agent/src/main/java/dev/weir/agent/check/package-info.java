/** Questions and answers over HTTP. */
@NullMarked
package dev.weir.agent.check;

import org.jspecify.annotations.NullMarked;
