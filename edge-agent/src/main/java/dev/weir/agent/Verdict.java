package dev.weir.agent;

import dev.weir.core.quota.QuotaSpec;

/**
 * What one quota said to a request.
 *
 * @param quota the quota as it was in force
 * @param allowed whether it let the request pass; a quota in shadow mode always does
 * @param reason why; {@link Reason#SHADOW} where a quota in shadow mode would have refused
 * @param remainingMicros micro-tokens that can be spent here at once, after this request
 * @param retryAfterNanos where it refused: how long to wait, at least 1, or {@link Decision#NEVER};
 *     where it allowed: until there is one token more, or {@link Decision#NEVER} where that is not
 *     known
 */
public record Verdict(
    QuotaSpec quota, boolean allowed, Reason reason, long remainingMicros, long retryAfterNanos) {}
