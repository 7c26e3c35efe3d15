/** What an agent keeps on disk: who it is, how often it ran, and the quotas it last had. */
@NullMarked
package dev.weir.agent.folder;

import org.jspecify.annotations.NullMarked;
