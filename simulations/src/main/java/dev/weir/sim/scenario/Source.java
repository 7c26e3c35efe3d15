package dev.weir.sim.scenario;

/**
 * Traffic of one region.
 *
 * @param even whether requests are evenly spaced; else they come at random, without memory
 * @param costMicros of each request
 */
record Source(String region, Shape shape, Callers callers, boolean even, long costMicros) {}
