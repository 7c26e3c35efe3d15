package dev.weir.core.bound;

import dev.weir.core.quota.Share;

/**
 * One that holds a part of a bucket: the pool, an agent, a floor at rest, tokens on their way.
 *
 * @param name as a message is to name it
 * @param share the rate and burst it may use
 * @param levelMicros the tokens it has
 */
public record Party(String name, Share share, long levelMicros) {}
