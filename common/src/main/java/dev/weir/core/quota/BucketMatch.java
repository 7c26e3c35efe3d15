package dev.weir.core.quota;

/**
 * One quota that a request counts against, and the bucket there.
 *
 * @param slot the quota's place in its domain's {@link Matcher}, narrowest first; means something
 *     only together with that matcher
 */
public record BucketMatch(int slot, QuotaSpec quota, BucketId bucket) {}
