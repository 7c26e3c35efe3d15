package dev.weir.sim.trace;

import dev.weir.core.quota.Descriptors;

/** Who asks, from where: what many rows of a trace have in common, kept once. */
record Caller(String region, String key, Descriptors descriptors) {}
