package dev.weir.sim.demo;

import dev.weir.sim.live.AgentClient;
import dev.weir.sim.live.LeaseSample;
import dev.weir.sim.live.LeaseWatch;
import dev.weir.sim.trace.Arrival;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Some requests before the ones that count: JVMs that have just started are slow, and agents that
 * nobody asked hold no lease. It ends when each region holds one, or after a while, and then lets
 * the bucket fill again. What it admits is judged like everything else, and is not in the table.
 */
final class WarmUp {
  private static final long STEP_MILLIS = 25;
  private static final long STEPS_MIN = 80;
  private static final long STEPS_MAX = 400;

  private final Map<String, AgentClient> agents;
  private final LeaseWatch watch;

  WarmUp(Map<String, AgentClient> agents, LeaseWatch watch) {
    this.agents = agents;
    this.watch = watch;
  }

  /**
   * Asks, and waits.
   *
   * @param refillMillis how long the shared bucket takes to fill
   */
  void run(long refillMillis) throws InterruptedException {
    for (int step = 0; step < STEPS_MAX && (step < STEPS_MIN || !allLeased()); step++) {
      agents.forEach(
          (region, agent) -> {
            var unused = agent.decide(List.of(new Arrival(0, region, "warm-up", 1)));
          });
      TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
    }
    TimeUnit.MILLISECONDS.sleep(refillMillis);
  }

  private boolean allLeased() {
    List<LeaseSample> samples = watch.samples();
    if (samples.isEmpty()) {
      return false;
    }
    Map<String, Double> held = samples.get(samples.size() - 1).leasedPerSecond();
    return agents.keySet().stream().allMatch(region -> held.getOrDefault(region, 0.0) > 0);
  }
}
