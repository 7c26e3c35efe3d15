package dev.weir.sim.live;

import java.util.Optional;

/**
 * What a replay was, apart from what it counted.
 *
 * @param timeline what was asked and what came of it
 * @param startNanos its start on the monotonic clock, the one of the audit files
 * @param lengthNanos from its start to its last answer
 * @param lateNanosMax how far behind its due time the latest arrival was sent: above a few ms the
 *     machine was too busy
 * @param firstError what went wrong with the first batch that got no answer, if any did
 */
public record Outcome(
    Timeline timeline,
    long startNanos,
    long lengthNanos,
    long lateNanosMax,
    Optional<String> firstError) {}
