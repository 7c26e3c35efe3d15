/** Which quotas are in force: from files and through the API, one generation after another. */
@NullMarked
package dev.weir.coordinator.quotas;

import org.jspecify.annotations.NullMarked;
