package dev.weir.sim.scenario;

import dev.weir.sim.replay.Plan;

/**
 * A scenario file, read.
 *
 * @param description what happens, in a sentence or two
 * @param plan what is replayed
 * @param seed the one it is played with unless another is asked for
 * @param expected what must come of it under the strategy {@code leased}
 */
public record Scenario(String name, String description, Plan plan, long seed, Expected expected) {}
