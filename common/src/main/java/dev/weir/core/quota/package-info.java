/** What a quota is, and which quotas a request counts against. */
@NullMarked
package dev.weir.core.quota;

import org.jspecify.annotations.NullMarked;
