package dev.weir.coordinator.state;

import dev.weir.core.lease.Desk;

/**
 * What a cluster is, written once when it begins.
 *
 * @param cluster its id, which every answer carries
 * @param start how the run that has the folder open began; {@code LOST_DATA} also where a run
 *     before it did
 * @param lostTtlNanos after lost data the longest a lease can have had; else 0
 */
public record Identity(String cluster, Desk.Start start, long lostTtlNanos) {}
