package dev.weir.core.lease;

import dev.weir.core.message.OfferId;

/**
 * An offer of which it is not known yet whether the agent applied it.
 *
 * @param id its number
 * @param part what was offered, and until when it counts
 * @param rateMicros the most the agent's lease can have filled at while the offer was out
 * @param tokensMicros tokens that went along
 * @param sentAtNanos when it was sent, on the owner's clock
 */
public record Outstanding(
    OfferId id, Part part, long rateMicros, long tokensMicros, long sentAtNanos) {}
