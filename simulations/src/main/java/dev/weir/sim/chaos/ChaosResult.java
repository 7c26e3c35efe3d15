package dev.weir.sim.chaos;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code weir sim chaos} found.
 *
 * @param from the first seed
 * @param seeds how many seeds were asked for
 * @param broken the rule or clause that was switched off; null where all were in force
 * @param schedules the built schedules, and by how many tokens each was over
 * @param run what came of the seeds
 * @param small the first schedule that failed, made smaller; null where none did
 */
record ChaosResult(
    long from,
    long seeds,
    @Nullable String broken,
    List<Played> schedules,
    ChaosRun.Result run,
    Shrinking.@Nullable Small small) {
  /** A built schedule that was played. */
  record Played(BuiltSchedule schedule, double over) {
    boolean held() {
      return over == 0;
    }
  }

  /** Whether nothing failed. */
  boolean held() {
    return run.failure() == null && schedules.stream().allMatch(Played::held);
  }

  /** The command that repeats the first failure. */
  String repeat() {
    long seed = run.failure() == null ? from : run.failure().seed();
    return "deploy/weir sim chaos --from "
        + seed
        + " --seeds "
        + (run.failure() == null ? 0 : 1)
        + (broken == null ? "" : " --break " + broken);
  }
}
